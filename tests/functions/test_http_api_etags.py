"""http_api: ETags of items and lists."""

from typing import Any

import pytest

from functions.error_answers import assert_error
from functions.items_in import FUTURE, TODOS, function_fails, item_in, no_lease_taken, update_row
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.world import World

CHANGES: dict[str, tuple[str, str, Any]] = {
    "patch": ("PATCH", "", {"title": "另一个标题"}),
    "edit": ("PUT", "/artifacts/todos", TODOS),
    "archive": ("POST", "/archive", {}),
    "ship": ("POST", "/ship", {}),
    "regenerate": ("POST", "/process", {"mode": "REGENERATE"}),
    "export": ("POST", "/export", {"export_key": "k", "formats": ["md"]}),
}


def get_etag(world: World, path: str) -> str:
    return str(world.api("GET", path).headers["etag"])


def get_if_changed(world: World, path: str, etag: str) -> Any:
    return world.api("GET", path, headers={"if-none-match": etag})


@pytest.mark.parametrize("query", ["", "?include_history=true", "?versions=1", "?versions=true&include_history=1"])
def test_get_with_a_current_etag_gets_304(world: World, query: str) -> None:
    path = f"/items/{item_in(world, 'READY')}{query}"
    first = world.api("GET", path)
    again = get_if_changed(world, path, first.headers["etag"])
    assert (again.status, again.text, again.headers["etag"]) == (304, "", first.headers["etag"])


FORMS = [("{}", 304), ("W/{}", 304), ('"x", {}', 304), ('{},W/"y"', 304), ("*", 304), ('"x"', 200), ("", 200)]


@pytest.mark.parametrize(("form", "status"), FORMS)
def test_if_none_match_accepts_all_forms_of_a_tag(world: World, form: str, status: int) -> None:
    item_id = item_in(world, "READY")
    for path in (f"/items/{item_id}", "/items"):
        assert get_if_changed(world, path, form.format(get_etag(world, path))).status == status


def test_each_view_of_an_item_has_its_own_etag(world: World) -> None:
    item_id = item_in(world, "READY")
    views = ["", "?include_history=true", "?versions=true", "?versions=true&include_history=true"]
    assert len({get_etag(world, f"/items/{item_id}{view}") for view in views}) == len(views)


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_of_an_item_changes_its_etag(world: World, change: str) -> None:
    item_id = item_in(world, "READY")
    method, path, body = CHANGES[change]
    etag = get_etag(world, f"/items/{item_id}")
    with no_lease_taken(world):
        world.api(method, f"/items/{item_id}{path}", body, if_match="*")
        answer = get_if_changed(world, f"/items/{item_id}", etag)
    assert (answer.status, answer.headers["etag"] != etag) == (200, True)


def test_change_of_an_export_changes_the_items_etag(world: World) -> None:
    item_id = item_in(world, "READY")
    with function_fails(world, "export", RuntimeError("crash")):
        world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.api("POST", f"/items/{item_id}/archive")
    before = world.api("GET", f"/items/{item_id}")
    world.table.write(Write(item_keys.export("me", item_id, "k"), sets={"due_at": FUTURE}, adds={"version": 1}))
    after = get_if_changed(world, f"/items/{item_id}", before.headers["etag"])
    assert (after.status, after.json["item"]) == (200, before.json["item"])


def test_deleted_item_is_not_found_with_any_etag(world: World) -> None:
    item_id = item_in(world, "READY")
    etag = get_etag(world, f"/items/{item_id}")
    world.api("DELETE", f"/items/{item_id}")
    for sent_etag in (etag, "*"):
        assert_error(get_if_changed(world, f"/items/{item_id}", sent_etag), 404, "NOT_FOUND")


def test_etag_of_an_item_is_accepted_by_if_match(world: World) -> None:
    item_id = item_in(world, "READY")
    etag = get_etag(world, f"/items/{item_id}?versions=true")
    assert world.api("PATCH", f"/items/{item_id}", {"title": "x"}, if_match=etag).status == 200
    assert_error(world.api("PATCH", f"/items/{item_id}", {"title": "y"}, if_match=etag), 412, "VERSION_MISMATCH")


@pytest.mark.parametrize("query", ["", "?sort=created_desc", "?q=fencing", "?status=READY&limit=1"])
def test_list_gets_304_until_an_item_in_it_changes(world: World, query: str) -> None:
    item_id = item_in(world, "READY")
    update_row(world, item_id, inbox=f"8#100.0#{item_id}")
    etag = get_etag(world, f"/items{query}")
    again = get_if_changed(world, f"/items{query}", etag)
    assert (again.status, again.text) == (304, "")
    world.api("PATCH", f"/items/{item_id}", {"title": "Fencing, once more"}, if_match="*")
    answer = get_if_changed(world, f"/items{query}", etag)
    assert (answer.status, answer.json["items"][0]["title"]) == (200, "Fencing, once more")


@pytest.mark.parametrize("path", ["/items", "/items/{}", "/items/{}?versions=true"])
def test_head_has_the_headers_of_get_without_a_body(world: World, path: str) -> None:
    path = path.format(item_in(world, "READY"))
    got, headed = world.api("GET", path), world.api("HEAD", path)
    assert (headed.status, headed.text, headed.headers) == (200, "", got.headers)
    not_modified = world.api("HEAD", path, headers={"if-none-match": got.headers["etag"]})
    assert (not_modified.status, not_modified.text) == (304, "")


@pytest.mark.parametrize(
    ("path", "status"), [("/items/x", 404), ("/nowhere", 404), ("/capture", 405), ("/items?q=" + "x" * 201, 400)]
)
def test_head_has_the_error_status_of_get_without_a_body(world: World, path: str, status: int) -> None:
    answer = world.api("HEAD", path)
    assert (answer.status, answer.text) == (status, "")


def test_head_needs_a_token(world: World) -> None:
    answer = world.api("HEAD", "/items", token="")
    assert (answer.status, answer.text) == (401, "")


METHODS = [
    ("/items", "PUT", {"GET"}),
    ("/capture", "GET", {"POST"}),
    ("/items/" + "0" * 26, "POST", {"GET", "PATCH", "DELETE"}),
    ("/items/" + "0" * 26 + "/archive", "DELETE", {"POST"}),
    ("/items/" + "0" * 26 + "/artifacts/card", "POST", {"PUT"}),
    ("/items/batch", "PUT", {"POST"}),
    ("/tokens", "PATCH", {"GET", "POST"}),
]


@pytest.mark.parametrize(("path", "method", "allowed"), METHODS)
def test_405_lists_the_allowed_methods(world: World, path: str, method: str, allowed: set[str]) -> None:
    answer = world.api(method, path, {})
    assert_error(answer, 405, "METHOD_NOT_ALLOWED")
    assert allowed <= set(answer.headers["allow"].split(", "))
    assert method not in answer.headers["allow"].split(", ")
