"""The versions of what was made, each beside the one before it, with what changed."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.lifecycle.item import SET
from readdo.read import views
from readdo.store import artifacts
from readdo.web.errors import not_found
from screens import html_response
from screens.item import find
from screens.page_auth import visit_of
from screens.page_request import ITEM
from screens.version_diff import changes, lines_of

router = APIGatewayHttpRouter()


@router.get(f"{ITEM}/versions/<kind>")
def get_versions(given: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in SET:
        raise not_found("kind of version")
    row = find(visit, given)
    listed = artifacts.versions(visit.table, row).get(kind, [])
    return html_response.page(visit, "versions.html", item=views.item(row), kind=kind, versions=_beside(kind, listed))


def _beside(kind: str, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Newest first; the oldest that is listed has nothing to be held against."""
    before = [*listed[1:], None]
    return [
        {**one, "lines": changes(lines_of(kind, old["payload"]) if old else None, lines_of(kind, one["payload"]))}
        for one, old in zip(listed, before, strict=True)
    ]
