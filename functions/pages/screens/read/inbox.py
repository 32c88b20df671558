"""The inbox with its groups, the lists of single groups, and the search."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.lifecycle.advance import living
from readdo.read import inbox, item_keys, views
from readdo.read.inbox import InboxQuery
from readdo.read.item_keys import BANDS, READY_BANDS
from readdo.read.rows import ItemRow, ListedItem
from readdo.web.errors import not_found
from screens import html_response
from screens.flash import flash
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest
from screens.read.item_actions import buttons

router = APIGatewayHttpRouter()
# (position, name in the words as `nav.{name}`, path)
NAVIGATION = (
    (10, "inbox", HOME),
    (30, "shipped", f"{HOME}/list/shipped"),
    (40, "archived", f"{HOME}/list/archived"),
)
# Each group is a band of the index, so that its query reads no other group.
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
FIRST, PAGE = 12, 30  # rows of a group in the inbox, and on the group's own page
SEARCH_MAX = 200


@router.get(HOME)
def get_inbox() -> Response[str]:
    visit = visit_of(router)
    if words := visit.query.get("q", "").strip():
        return _search_page(visit, words[:SEARCH_MAX])
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
    query = InboxQuery(visit.owner, limit=limit, cursor=cursor or None, bands=frozenset({band}))
    rows, next_cursor = inbox.page(visit.table, query)
    return {
        "name": name,
        "rows": _rows(visit, rows),
        "further": next_cursor,
        "folded": name in FOLDED,
        "first_page": not cursor,
    }


def _search_page(visit: PageRequest, words: str) -> Response[str]:
    query = InboxQuery(visit.owner, limit=PAGE, cursor=visit.query.get("cursor") or None, words=inbox.words_of(words))
    rows, next_cursor = inbox.page(visit.table, query)
    group = {"name": "found", "rows": _rows(visit, rows), "further": next_cursor, "folded": False, "first_page": True}
    return html_response.page(visit, "found.html", group=group, words=words, done=flash(visit))


def _rows(visit: PageRequest, rows: Iterable[ListedItem]) -> list[dict[str, Any]]:
    """Rows of the index. Items in progress are read from the table: a step does not update the index."""
    index_rows = list(rows)
    row_keys = [item_keys.item(visit.owner, row["id"]) for row in index_rows if row["status"] == "PROCESSING"]
    items = (
        {row["id"]: cast("ItemRow", row) for row in visit.table.get_all(row_keys) if living(row)} if row_keys else {}
    )
    return [_row(items.get(row["id"]), row) for row in index_rows]


def _row(item: ItemRow | None, row: ListedItem) -> dict[str, Any]:
    """`item` is the row of the table, if it was read."""
    current: ListedItem = item or row
    is_started = item is not None and item["status"] == "PROCESSING" and "started_at" in item
    progress = {"progress": views.progress(item)} if item and is_started else {}
    moves = current["status"] in ("QUEUED", "PROCESSING")
    return {**views.listed({**row, **current}), **progress, "moves": moves, **buttons(current)}
