"""http_api: authentication, and isolation between owners."""

import importlib

import pytest

from functions.items_in import item_in
from functions.room_events import event
from readdo.store import tokens
from support.world import World, context


@pytest.mark.parametrize("secret", ["", "rdo_wrong", "rdo_" + "x" * 5000, "💥", "a b c"])
def test_unknown_token_gets_401(world: World, secret: str) -> None:
    answer = world.api("GET", "/items", token=secret)
    assert (answer.status, answer.json["error"]["code"]) == (401, "UNAUTHENTICATED")


@pytest.mark.usefixtures("world")
def test_call_without_a_token_gets_401() -> None:
    request = event("http_api", "without_a_token")
    assert importlib.import_module("http_api").handler(request, context("http_api"))["statusCode"] == 401


def test_expired_token_gets_401(world: World) -> None:
    ended = tokens.issue(world.table, "me", "old", days=-1)
    assert world.api("GET", "/items", token=ended).status == 401


def test_read_token_cannot_write(world: World) -> None:
    reader = tokens.issue(world.table, "me", "reader", scopes=("read",))
    item_id = item_in(world, "CAPTURED")
    before = world.row(item_id)
    assert world.api("GET", f"/items/{item_id}", token=reader).status == 200
    answer = world.api("POST", f"/items/{item_id}/archive", token=reader)
    assert (answer.status, answer.json["error"]["code"]) == (403, "FORBIDDEN")
    assert world.row(item_id) == before


def test_item_of_another_owner_is_not_found_by_any_call(world: World) -> None:
    stranger = tokens.issue(world.table, "stranger", "theirs")
    item_id = item_in(world, "READY")
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    before = world.row(item_id)
    calls = [("GET", "", None), ("GET", "/exports/k", None), ("POST", "/export", {"export_key": "k"})]
    calls += [("POST", f"/{verb}", {}) for verb in ("process", "keep", "ship", "archive", "unarchive")]
    for method, path, body in calls:
        answer = world.api(method, f"/items/{item_id}{path}", body, token=stranger, key=f"k{path[1:]}")
        assert (answer.status, answer.json["error"]["code"]) == (404, "NOT_FOUND"), path
    assert world.api("GET", f"/exports/{item_id}/k/card.md", token=stranger).status == 404
    assert world.api("GET", "/items", token=stranger).json == {"items": [], "next_cursor": None}
    assert world.row(item_id) == before
