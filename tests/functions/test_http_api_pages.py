"""http_api: the list, page by page: every item once, in its order, with any filter and any size of page."""

import base64
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest
from error_answers import fields, told

from readdo import clock, ids
from readdo.lifecycle.write import Write
from readdo.store import inbox, keys, tokens
from support.world import World

STATUSES = ("CAPTURED", "QUEUED", "FAILED_AI", "FAILED_EXTRACTION", "FAILED_EXPORT", "SHIPPED", "ARCHIVED", "READY")
SCORES = (("READ_NEXT", 91.5), ("READ_NEXT", 100), ("WORTH_IT", 60.0), ("IF_TIME", 45.2), ("SKIP", 7.5))
COUNT = 131
ORDER = {"READ_NEXT": 0, "WORTH_IT": 1, "IF_TIME": 2}


def row(n: int, owner: str) -> dict[str, Any]:
    status = STATUSES[n % len(STATUSES)]
    at = clock.after("2026-01-01T00:00:00.000Z", n)
    found: dict[str, Any] = {"id": ids.new(at), "owner": owner, "status": status, "created_at": at, "intent_text": "x"}
    found["source_type"] = ("web", "youtube", "newsletter")[n % 3]
    if status != "READY":
        return {**found, **inbox.place(status, found["id"])}
    priority, score = SCORES[n // len(STATUSES) % len(SCORES)]
    found |= {"priority": priority, "match_score": score}
    return {**found, **inbox.place_ready(priority, score, found["id"])}


@pytest.fixture(scope="module")
def rows(shared: World) -> Iterator[list[dict[str, Any]]]:
    found = [row(n, "me") for n in range(COUNT)]
    for item in [*found, row(3, "you"), row(7, "you")]:
        shared.table.write(Write(keys.item(item["owner"], item["id"]), "put", row=item))
    yield found


def pages(world: World, query: str, limit: int) -> list[list[dict[str, Any]]]:
    found, cursor = [], ""
    while True:
        answer = world.api("GET", f"/items?limit={limit}&{query}" + (f"&cursor={quote(cursor)}" if cursor else ""))
        assert answer.status == 200, answer.json
        found.append(answer.json["items"])
        cursor = answer.json["next_cursor"]
        if not cursor:
            return found
        assert len(found) <= COUNT + 1, "the pages do not end"


def group(item: dict[str, Any]) -> int:
    """Spec §8: Read next, Worth it, If time, In progress, Needs attention, Skip; then Shipped and Archived."""
    if item["status"] == "READY":
        return ORDER.get(item["priority"], 5)
    return {"CAPTURED": 3, "QUEUED": 3, "PROCESSING": 3, "SHIPPED": 6, "ARCHIVED": 7}.get(item["status"], 4)


@pytest.mark.parametrize("limit", [1, 7, 100])
@pytest.mark.parametrize("sort", ["priority_score_desc", "created_desc"])
def test_the_pages_hold_every_item_once(shared: World, rows: list[dict[str, Any]], sort: str, limit: int) -> None:
    found = pages(shared, f"sort={sort}", limit)
    assert all(len(page) == limit for page in found[:-1])
    assert len(found[-1]) <= limit
    listed = [item["id"] for page in found for item in page]
    assert len(listed) == len(set(listed))
    assert set(listed) == {item["id"] for item in rows}


@pytest.mark.usefixtures("rows")
def test_the_usual_order_is_by_group_then_score_then_newest(shared: World) -> None:
    listed = [item for page in pages(shared, "", 50) for item in page]
    assert [group(item) for item in listed] == sorted(group(item) for item in listed)
    for before, after in pairwise(listed):
        if group(before) == group(after):
            scores = [item["match_score"] if item["status"] == "READY" else 0 for item in (before, after)]
            assert scores[0] >= scores[1]
            if scores[0] == scores[1]:
                assert before["created_at"] > after["created_at"]


@pytest.mark.usefixtures("rows")
def test_the_other_order_is_by_the_time_of_capture_newest_first(shared: World) -> None:
    times = [item["created_at"] for page in pages(shared, "sort=created_desc", 30) for item in page]
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
def test_a_filter_finds_all_that_it_names_and_nothing_else(
    shared: World, rows: list[dict[str, Any]], query: str, sort: str, limit: int
) -> None:
    found = pages(shared, f"{query}&sort={sort}", limit)
    assert all(len(page) <= limit for page in found)
    listed = [item["id"] for page in found for item in page]
    assert sorted(listed) == sorted(item["id"] for item in rows if FILTERS[query](item))


@pytest.mark.usefixtures("rows")
def test_an_item_that_comes_in_while_one_pages_costs_no_other_its_place(shared: World) -> None:
    first = shared.api("GET", "/items?limit=50&sort=created_desc").json
    new = shared.capture(process=False)
    rest = pages(shared, f"sort=created_desc&cursor={quote(first['next_cursor'])}", 50)
    seen = [item["id"] for item in first["items"]] + [item["id"] for page in rest for item in page]
    shared.table.write(Write(keys.item("me", new), "delete"))
    assert len(seen) == len(set(seen))


def packed(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


GARBAGE = [
    "x",
    "%00",
    "é",
    "=",
    "a" * 5000,
    "%F0%9F%92%A5",
    packed({}),
    packed([]),
    packed(None),
    packed("text"),
    packed(5),
]
GARBAGE += [packed([1, 2, 3]), packed(["priority_score_desc", 5, 6]), packed(["priority_score_desc", "K#secret", "5"])]
GARBAGE += [packed([["priority_score_desc"], "I#x", "5"]), packed(["priority_score_desc", ["I#x"], "5#000.0#x"])]
GARBAGE += [packed(["priority_score_desc", "I#x", None]), packed(["created_desc", "T#hash", ""])]


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("n", range(len(GARBAGE)))
def test_a_cursor_that_no_list_made_is_refused_by_name(shared: World, n: int) -> None:
    answer = shared.api("GET", f"/items?cursor={GARBAGE[n]}")
    assert fields(told(answer, 400, "VALIDATION_ERROR")) == {"cursor"}


def test_a_cursor_of_nested_lists_is_refused_by_name(shared: World) -> None:
    cursor = base64.urlsafe_b64encode(b"[" * 6000).decode()
    assert fields(told(shared.api("GET", f"/items?cursor={cursor}"), 400, "VALIDATION_ERROR")) == {"cursor"}


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(("made_by", "used_by"), [("created_desc", "priority_score_desc")] * 2)
def test_a_cursor_of_the_other_order_is_refused_by_name(shared: World, made_by: str, used_by: str) -> None:
    for one, other in ((made_by, used_by), (used_by, made_by)):
        cursor = shared.api("GET", f"/items?limit=3&sort={one}").json["next_cursor"]
        answer = shared.api("GET", f"/items?limit=3&sort={other}&cursor={cursor}")
        assert fields(told(answer, 400, "VALIDATION_ERROR")) == {"cursor"}


@pytest.mark.parametrize("sort", ["priority_score_desc", "created_desc"])
def test_anothers_cursor_shows_nothing_of_theirs(shared: World, rows: list[dict[str, Any]], sort: str) -> None:
    cursor = shared.api("GET", f"/items?limit=3&sort={sort}").json["next_cursor"]
    stranger = tokens.issue(shared.table, "you", "theirs")
    answer = shared.api("GET", f"/items?limit=100&sort={sort}&cursor={cursor}", token=stranger)
    mine = {item["id"] for item in rows}
    assert answer.status == 400 or not mine & {item["id"] for item in answer.json["items"]}
