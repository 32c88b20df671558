"""The inbox in its groups, and the views beside it: a group alone, shipped, archived, and what a search finds."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.lifecycle.advance import living
from readdo.read import views
from readdo.store import inbox, keys
from readdo.store.inbox import BANDS, READY_BANDS, InboxQuery
from readdo.web.errors import not_found
from screens import html_response
from screens.flash import flash
from screens.item_buttons import buttons
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
# Each group is a band of the index: what it costs does not depend on what stands in the others.
GROUPS = {
    "read_next": READY_BANDS["READ_NEXT"],
    "worth_it": READY_BANDS["WORTH_IT"],
    "if_time": READY_BANDS["IF_TIME"],
    "in_progress": BANDS["CAPTURED"],
    "attention": BANDS["FAILED_AI"],
    "skip": READY_BANDS["SKIP"],
}
VIEWS = {"shipped": BANDS["SHIPPED"], "archived": BANDS["ARCHIVED"]}
MOVING = "in_progress"
FOLDED = ("skip",)
FIRST, PAGE = 12, 30  # rows of a group on the inbox, and on a page of its own
SEARCH_MAX = 200


@router.get(HOME)
def get_inbox() -> Response[str]:
    visit = visit_of(router)
    if words := visit.query.get("q", "").strip():
        return _found(visit, words[:SEARCH_MAX])
    with ThreadPoolExecutor(len(GROUPS)) as threads:
        groups = list(threads.map(lambda name: _group(visit, name, GROUPS[name], FIRST), GROUPS))
    shown_groups = [group for group in groups if group["rows"]]
    return html_response.page(
        visit,
        "inbox.html",
        groups=shown_groups,
        moving=any(row["moves"] for group in groups for row in group["rows"]),
        done=flash(visit),
    )


@router.get(f"{HOME}/list/<name>")
def get_list(name: str) -> Response[str]:
    visit = visit_of(router)
    band = {**GROUPS, **VIEWS}.get(name)
    if band is None:
        raise not_found("list")
    group = _group(visit, name, band, PAGE, visit.query.get("cursor"))
    moving = any(row["moves"] for row in group["rows"])
    return html_response.page(visit, "list.html", group=group, moving=moving, done=flash(visit))


def _group(visit: PageRequest, name: str, band: str, limit: int, cursor: str | None = None) -> dict[str, Any]:
    ask = InboxQuery(visit.owner, limit=limit, cursor=cursor or None, bands=frozenset({band}))
    rows, further = inbox.page(visit.table, ask)
    return {
        "name": name,
        "rows": _rows(visit, rows),
        "further": further,
        "folded": name in FOLDED,
        "first_page": not cursor,
    }


def _found(visit: PageRequest, words: str) -> Response[str]:
    ask = InboxQuery(visit.owner, limit=PAGE, cursor=visit.query.get("cursor") or None, words=inbox.words_of(words))
    rows, further = inbox.page(visit.table, ask)
    group = {"name": "found", "rows": _rows(visit, rows), "further": further, "folded": False, "first_page": True}
    return html_response.page(visit, "found.html", group=group, words=words, done=flash(visit))


def _rows(visit: PageRequest, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the index carries; of those that move, the item itself, since a step changes no index."""
    found = list(rows)
    moving = [keys.item(visit.owner, row["id"]) for row in found if row["status"] == "PROCESSING"]
    whole = {row["id"]: row for row in visit.table.get_all(moving) if living(row)} if moving else {}
    return [_row(whole.get(row["id"], row), row) for row in found]


def _row(item: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    progress = {"progress": views.progress(item)} if item["status"] == "PROCESSING" and "started_at" in item else {}
    moves = item["status"] in ("QUEUED", "PROCESSING")
    return {**views.listed({**row, **item}), **progress, "moves": moves, **buttons(item)}
