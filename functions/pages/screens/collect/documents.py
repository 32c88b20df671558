"""The pages of the library: the list of documents, and a document rendered with its completeness."""

from typing import Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.collect import document_library, views
from readdo.collect.completeness import COMPLETE, INCOMPLETE, PARTIAL, RULES_VERSION, missing_items, status_of
from readdo.errors import BadCursor
from readdo.messages import stored_fields, translate
from readdo.web.path_params import unquoted
from screens import html_response
from screens.collect.markdown_view import render_markdown
from screens.collect.pool import LISTED, POOL
from screens.page_auth import visit_of
from screens.page_request import PageRequest

router = APIGatewayHttpRouter()
DOCUMENTS = f"{POOL}/documents"
_STATUSES = (COMPLETE, PARTIAL, INCOMPLETE)


@router.get(DOCUMENTS)
def get_documents() -> Response[str]:
    visit = visit_of(router)
    prefix, only = visit.query.get("prefix", "").strip(), visit.query.get("status", "")
    only = only if only in _STATUSES else ""
    rows, further = _listed(visit, prefix, [only] if only else [])
    return html_response.page(
        visit,
        "documents.html",
        documents=[views.listed_document(row) for row in rows],
        statuses=_STATUSES,
        prefix=prefix,
        only=only,
        further=quote(further, safe="") if further else "",
        section=POOL,
    )


def _listed(visit: PageRequest, prefix: str, statuses: list[str]) -> tuple[list[Any], str | None]:
    """A cursor that somebody made up shows the first page."""
    cursor = visit.query.get("cursor", "")
    try:
        return document_library.list_documents(visit.table, visit.owner, prefix, statuses, cursor, LISTED, status_of)
    except BadCursor:
        return document_library.list_documents(visit.table, visit.owner, prefix, statuses, "", LISTED, status_of)


@router.get(f"{DOCUMENTS}/.+")
def get_document() -> Response[str]:
    visit = visit_of(router)
    path = document_library.document_path(unquoted(visit.path.removeprefix(f"{DOCUMENTS}/"), "document"))
    number = visit.query.get("version", "")
    version = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0
    newest, _ = document_library.get_document(visit.table, visit.owner, path)
    row, content = document_library.get_document(visit.table, visit.owner, path, version)
    items = [translate(stored_fields(text), visit.words.language) for text in missing_items(row["parts"])]
    return html_response.page(
        visit,
        "document.html",
        path=path,
        document=views.document(row),
        parts=row["parts"],
        missing=items,
        checked_at=row["checked_at"],
        newest=newest["version"],
        is_old_check=row["rules_version"] != RULES_VERSION,
        body=render_markdown(content),
        section=POOL,
    )
