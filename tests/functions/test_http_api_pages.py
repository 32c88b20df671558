"""http_api: the pages of a list hold each item once and in order, for any filter and page size."""

import base64
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest

from functions.error_answers import assert_error, error_fields
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.store import tokens
from support.world import World

STATUSES = ("CAPTURED", "QUEUED", "FAILED_AI", "FAILED_EXTRACTION", "FAILED_EXPORT", "SHIPPED", "ARCHIVED", "READY")
SCORES = (("READ_NEXT", 91.5), ("READ_NEXT", 100), ("WORTH_IT", 60.0), ("IF_TIME", 45.2), ("SKIP", 7.5))
COUNT = 131
ORDER = {"READ_NEXT": 0, "WORTH_IT": 1, "IF_TIME": 2}


def item_row(n: int, owner: str) -> dict[str, Any]:
    status = STATUSES[n % len(STATUSES)]
    at = clock.after("2026-01-01T00:00:00.000Z", n)
    item: dict[str, Any] = {
        "id": clock.new_id(at),
        "owner": owner,
        "status": status,
        "created_at": at,
        "intent_text": "x",
    }
    item["source_type"] = ("web", "youtube", "newsletter")[n % 3]
    if status != "READY":
        return {**item, **item_keys.inbox_place(status, item["id"])}
    priority, score = SCORES[n // len(STATUSES) % len(SCORES)]
    item |= {"priority": priority, "match_score": score}
    return {**item, **item_keys.inbox_place_ready(priority, score, item["id"])}


@pytest.fixture(scope="module")
def rows(world: World) -> Iterator[list[dict[str, Any]]]:
    items = [item_row(n, "me") for n in range(COUNT)]
    for item in [*items, item_row(3, "you"), item_row(7, "you")]:
        world.table.write(Write(item_keys.item(item["owner"], item["id"]), "put", row=item))
    yield items


def fetch_pages(world: World, query: str, limit: int) -> list[list[dict[str, Any]]]:
    all_pages, cursor = [], ""
    while True:
        answer = world.api("GET", f"/items?limit={limit}&{query}" + (f"&cursor={quote(cursor)}" if cursor else ""))
        assert answer.status == 200, answer.json
        all_pages.append(answer.json["items"])
        cursor = answer.json["next_cursor"]
        if not cursor:
            return all_pages
        assert len(all_pages) <= COUNT + 1, "the pages do not end"


def group_of(item: dict[str, Any]) -> int:
    """Spec §8: READ_NEXT, WORTH_IT, IF_TIME, in progress, failed, SKIP, SHIPPED, ARCHIVED."""
    if item["status"] == "READY":
        return ORDER.get(item["priority"], 5)
    return {"CAPTURED": 3, "QUEUED": 3, "PROCESSING": 3, "SHIPPED": 6, "ARCHIVED": 7}.get(item["status"], 4)


@pytest.mark.parametrize("limit", [1, 7, 100])
@pytest.mark.parametrize("sort", ["priority_score_desc", "created_desc"])
def test_pages_hold_every_item_once(world: World, rows: list[dict[str, Any]], sort: str, limit: int) -> None:
    all_pages = fetch_pages(world, f"sort={sort}", limit)
    assert all(len(page) == limit for page in all_pages[:-1])
    assert len(all_pages[-1]) <= limit
    listed = [item["id"] for page in all_pages for item in page]
    assert len(listed) == len(set(listed))
    assert set(listed) == {item["id"] for item in rows}


@pytest.mark.usefixtures("rows")
def test_default_order_is_group_score_newest(world: World) -> None:
    listed = [item for page in fetch_pages(world, "", 50) for item in page]
    assert [group_of(item) for item in listed] == sorted(group_of(item) for item in listed)
    for before, after in pairwise(listed):
        if group_of(before) == group_of(after):
            scores = [item["match_score"] if item["status"] == "READY" else 0 for item in (before, after)]
            assert scores[0] >= scores[1]
            if scores[0] == scores[1]:
                assert before["created_at"] > after["created_at"]


@pytest.mark.usefixtures("rows")
def test_created_desc_lists_the_newest_first(world: World) -> None:
    times = [item["created_at"] for page in fetch_pages(world, "sort=created_desc", 30) for item in page]
    assert times == sorted(times, reverse=True)


FILTERS = {
    "status=READY": lambda i: i["status"] == "READY",
    "status=READY&status=SHIPPED": lambda i: i["status"] in ("READY", "SHIPPED"),
    "status=READY,SHIPPED": lambda i: i["status"] in ("READY", "SHIPPED"),
    "status=FAILED_*": lambda i: i["status"].startswith("FAILED_"),
    "status=FAILED_*&status=FAILED_AI": lambda i: i["status"].startswith("FAILED_"),
    "status=PROCESSING": lambda _: False,
    "status=ARCHIVED": lambda i: i["status"] == "ARCHIVED",
    "status=SHIPPED,CAPTURED": lambda i: i["status"] in ("SHIPPED", "CAPTURED"),
    "priority=READ_NEXT&priority=SKIP": lambda i: i.get("priority") in ("READ_NEXT", "SKIP"),
    "source_type=youtube": lambda i: i["source_type"] == "youtube",
    "status=READY&priority=WORTH_IT&source_type=web&source_type=newsletter": lambda i: (
        i["status"] == "READY" and i["priority"] == "WORTH_IT" and i["source_type"] in ("web", "newsletter")
    ),
}


@pytest.mark.parametrize("limit", [4, 100])
@pytest.mark.parametrize("sort", ["priority_score_desc", "created_desc"])
@pytest.mark.parametrize("query", FILTERS)
def test_filter_returns_exactly_the_matching_items(
    world: World, rows: list[dict[str, Any]], query: str, sort: str, limit: int
) -> None:
    all_pages = fetch_pages(world, f"{query}&sort={sort}", limit)
    assert all(len(page) <= limit for page in all_pages)
    listed = [item["id"] for page in all_pages for item in page]
    assert sorted(listed) == sorted(item["id"] for item in rows if FILTERS[query](item))


@pytest.mark.usefixtures("rows")
def test_item_captured_while_paging_causes_no_duplicates(world: World) -> None:
    first = world.api("GET", "/items?limit=50&sort=created_desc").json
    new_id = world.capture(process=False)
    rest = fetch_pages(world, f"sort=created_desc&cursor={quote(first['next_cursor'])}", 50)
    ids_seen = [item["id"] for item in first["items"]] + [item["id"] for page in rest for item in page]
    world.table.write(Write(item_keys.item("me", new_id), "delete"))
    assert len(ids_seen) == len(set(ids_seen))


def cursor_of(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


INVALID_CURSORS = [
    "x",
    "%00",
    "é",
    "=",
    "a" * 5000,
    "%F0%9F%92%A5",
    cursor_of({}),
    cursor_of([]),
    cursor_of(None),
    cursor_of("text"),
    cursor_of(5),
]
INVALID_CURSORS += [
    cursor_of([1, 2, 3]),
    cursor_of(["priority_score_desc", 5, 6]),
    cursor_of(["priority_score_desc", "K#secret", "5"]),
]
INVALID_CURSORS += [
    cursor_of([["priority_score_desc"], "I#x", "5"]),
    cursor_of(["priority_score_desc", ["I#x"], "5#000.0#x"]),
]
INVALID_CURSORS += [cursor_of(["priority_score_desc", "I#x", None]), cursor_of(["created_desc", "T#hash", ""])]


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("n", range(len(INVALID_CURSORS)))
def test_invalid_cursor_is_rejected(world: World, n: int) -> None:
    answer = world.api("GET", f"/items?cursor={INVALID_CURSORS[n]}")
    assert error_fields(assert_error(answer, 400, "VALIDATION_ERROR")) == {"cursor"}


def test_cursor_of_nested_lists_is_rejected(world: World) -> None:
    cursor = base64.urlsafe_b64encode(b"[" * 6000).decode()
    assert error_fields(assert_error(world.api("GET", f"/items?cursor={cursor}"), 400, "VALIDATION_ERROR")) == {
        "cursor"
    }


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(("made_by", "used_by"), [("created_desc", "priority_score_desc")] * 2)
def test_cursor_of_another_order_is_rejected(world: World, made_by: str, used_by: str) -> None:
    for one, other in ((made_by, used_by), (used_by, made_by)):
        cursor = world.api("GET", f"/items?limit=3&sort={one}").json["next_cursor"]
        answer = world.api("GET", f"/items?limit=3&sort={other}&cursor={cursor}")
        assert error_fields(assert_error(answer, 400, "VALIDATION_ERROR")) == {"cursor"}


@pytest.mark.parametrize("sort", ["priority_score_desc", "created_desc"])
def test_cursor_of_another_owner_shows_none_of_their_items(world: World, rows: list[dict[str, Any]], sort: str) -> None:
    cursor = world.api("GET", f"/items?limit=3&sort={sort}").json["next_cursor"]
    stranger = tokens.issue(world.table, "you", "theirs")
    answer = world.api("GET", f"/items?limit=100&sort={sort}&cursor={cursor}", token=stranger)
    mine = {item["id"] for item in rows}
    assert answer.status == 400 or not mine & {item["id"] for item in answer.json["items"]}
