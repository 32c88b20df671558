"""The page of an artifact's versions, with the changes of each."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.lifecycle.item import SET
from readdo.read import artifacts, views
from readdo.web.errors import not_found
from screens import html_response
from screens.page_auth import visit_of
from screens.page_request import ITEM
from screens.read.item import find
from screens.read.version_diff import changes, lines_of

router = APIGatewayHttpRouter()


@router.get(f"{ITEM}/versions/<kind>")
def get_versions(raw_id: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in SET:
        raise not_found("kind of version")
    row = find(visit, raw_id)
    listed = artifacts.versions(visit.table, row).get(kind, [])
    return html_response.page(
        visit, "versions.html", item=views.item(row), kind=kind, versions=_with_changes(kind, listed)
    )


def _with_changes(kind: str, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Versions, newest first, with their changes. The oldest listed version has none."""
    previous = [*listed[1:], None]
    return [
        {
            **version,
            "lines": changes(lines_of(kind, older["payload"]) if older else None, lines_of(kind, version["payload"])),
        }
        for version, older in zip(listed, previous, strict=True)
    ]
