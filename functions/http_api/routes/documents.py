"""Routes for the library of documents. The path of a document may have slashes."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.collect import document_library, views
from readdo.collect.completeness import COMPLETE, INCOMPLETE, PARTIAL, status_of
from readdo.collect.document_names import find_document
from readdo.collect.requests import PutDocument
from readdo.web import versions
from readdo.web.errors import invalid, not_found
from readdo.web.path_params import unquoted
from routes.request_context import RequestContext, limit_of, one_of, reply

router = APIGatewayHttpRouter()
_PREFIX, _COMPLETENESS = "/documents/", "/completeness"


@router.get("/documents")
def get_documents() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    statuses = [one_of("status", value, (COMPLETE, PARTIAL, INCOMPLETE)) for value in context.queries("status")]
    prefix, cursor = context.free_text("prefix"), context.free_text("cursor")
    limit = limit_of(context.query("limit"))
    rows, after = document_library.list_documents(
        context.table, context.owner, prefix, statuses, cursor, limit, status_of
    )
    return reply(200, {"documents": [views.listed_document(row) for row in rows], "next_cursor": after})


@router.get("/documents/.+/completeness")
def get_completeness() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    path = _path(context.path.removesuffix(_COMPLETENESS))
    row = find_document(context.table, context.owner, path)
    if row is None:
        raise not_found("document")
    return reply(200, views.completeness(row))


@router.get("/documents/.+")
def get_document() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    version = context.query("version") or "0"
    if not (version.isascii() and version.isdigit() and len(version) <= 8):
        raise invalid("version must be a number.", {"version": "must be a number"})
    row, content = document_library.get_document(context.table, context.owner, _path(context.path), int(version))
    return reply(200, {"document": views.document(row), "content": content})


@router.put("/documents/.+")
def put_document() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    body = context.body(PutDocument)
    if_match = versions.if_match(context.header("if-match"), of_item=False) if context.header("if-match") else ""
    row, is_new = document_library.put_document(
        context.table, context.owner, _path(context.path), body.content, clock.now(), if_match, context.key()
    )
    return reply(201 if is_new else 200, {"document": views.document(row)})


def _path(raw_path: str) -> str:
    return document_library.document_path(unquoted(raw_path.removeprefix(_PREFIX), "document"))
