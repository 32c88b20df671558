"""http_api: who asks, and that nobody learns of another's items."""

import importlib

import pytest
from items_in import item_in
from room_events import event

from readdo.store import tokens
from support.world import World, context


@pytest.mark.parametrize("secret", ["", "rdo_wrong", "rdo_" + "x" * 5000, "💥", "a b c"])
def test_without_a_known_token_nothing_is_told(shared: World, secret: str) -> None:
    answer = shared.api("GET", "/items", token=secret)
    assert (answer.status, answer.json["error"]["code"]) == (401, "UNAUTHENTICATED")


@pytest.mark.usefixtures("shared")
def test_a_call_without_the_header_is_not_let_in() -> None:
    given = event("http_api", "without_a_token")
    assert importlib.import_module("http_api").handler(given, context("http_api"))["statusCode"] == 401


def test_a_token_past_its_end_opens_nothing(shared: World) -> None:
    ended = tokens.issue(shared.table, "me", "old", days=-1)
    assert shared.api("GET", "/items", token=ended).status == 401


def test_a_token_that_may_only_read_does_not_write(shared: World) -> None:
    reader = tokens.issue(shared.table, "me", "reader", scopes=("read",))
    item_id = item_in(shared, "CAPTURED")
    before = shared.row(item_id)
    assert shared.api("GET", f"/items/{item_id}", token=reader).status == 200
    answer = shared.api("POST", f"/items/{item_id}/archive", token=reader)
    assert (answer.status, answer.json["error"]["code"]) == (403, "FORBIDDEN")
    assert shared.row(item_id) == before


def test_anothers_item_is_not_found_by_any_call(shared: World) -> None:
    stranger = tokens.issue(shared.table, "stranger", "theirs")
    item_id = item_in(shared, "READY")
    shared.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    shared.settle()
    before = shared.row(item_id)
    calls = [("GET", "", None), ("GET", "/exports/k", None), ("POST", "/export", {"export_key": "k"})]
    calls += [("POST", f"/{verb}", {}) for verb in ("process", "keep", "ship", "archive", "unarchive")]
    for method, path, body in calls:
        answer = shared.api(method, f"/items/{item_id}{path}", body, token=stranger, key=f"k{path[1:]}")
        assert (answer.status, answer.json["error"]["code"]) == (404, "NOT_FOUND"), path
    assert shared.api("GET", f"/exports/{item_id}/k/card.md", token=stranger).status == 404
    assert shared.api("GET", "/items", token=stranger).json == {"items": [], "next_cursor": None}
    assert shared.row(item_id) == before
