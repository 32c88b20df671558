"""http_api: what has not changed is not sent again, and whatever has changed is."""

from typing import Any

import pytest
from error_answers import told
from items_in import FUTURE, TODOS, item_in, rewrite, stays_queued, stopped

from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World

CHANGES: dict[str, tuple[str, str, Any]] = {
    "patch": ("PATCH", "", {"title": "另一个标题"}),
    "edit": ("PUT", "/artifacts/todos", TODOS),
    "archive": ("POST", "/archive", {}),
    "ship": ("POST", "/ship", {}),
    "regenerate": ("POST", "/process", {"mode": "REGENERATE"}),
    "export": ("POST", "/export", {"export_key": "k", "formats": ["md"]}),
}


def tag(world: World, path: str) -> str:
    return str(world.api("GET", path).headers["etag"])


def asked_again(world: World, path: str, seen: str) -> Any:
    return world.api("GET", path, headers={"if-none-match": seen})


@pytest.mark.parametrize("query", ["", "?include_history=true", "?versions=1", "?versions=true&include_history=1"])
def test_what_was_seen_is_not_sent_again(shared: World, query: str) -> None:
    path = f"/items/{item_in(shared, 'READY')}{query}"
    first = shared.api("GET", path)
    again = asked_again(shared, path, first.headers["etag"])
    assert (again.status, again.text, again.headers["etag"]) == (304, "", first.headers["etag"])


FORMS = [("{}", 304), ("W/{}", 304), ('"x", {}', 304), ('{},W/"y"', 304), ("*", 304), ('"x"', 200), ("", 200)]


@pytest.mark.parametrize(("form", "status"), FORMS)
def test_a_tag_is_known_in_every_form_it_comes_in(shared: World, form: str, status: int) -> None:
    item_id = item_in(shared, "READY")
    for path in (f"/items/{item_id}", "/items"):
        assert asked_again(shared, path, form.format(tag(shared, path))).status == status


def test_each_view_of_an_item_has_a_tag_of_its_own(shared: World) -> None:
    item_id = item_in(shared, "READY")
    views = ["", "?include_history=true", "?versions=true", "?versions=true&include_history=true"]
    assert len({tag(shared, f"/items/{item_id}{view}") for view in views}) == len(views)


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_an_item_changes_its_tag_and_the_change_is_sent(shared: World, change: str) -> None:
    item_id = item_in(shared, "READY")
    method, path, body = CHANGES[change]
    seen = tag(shared, f"/items/{item_id}")
    with stays_queued(shared):
        shared.api(method, f"/items/{item_id}{path}", body, if_match="*")
        found = asked_again(shared, f"/items/{item_id}", seen)
    assert (found.status, found.headers["etag"] != seen) == (200, True)


def test_every_step_of_an_export_changes_the_items_tag_even_where_the_item_stays_as_it_is(shared: World) -> None:
    item_id = item_in(shared, "READY")
    with stopped(shared, "export", RuntimeError("crash")):
        shared.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    shared.api("POST", f"/items/{item_id}/archive")
    before = shared.api("GET", f"/items/{item_id}")
    shared.table.write(Write(keys.export("me", item_id, "k"), sets={"due_at": FUTURE}, adds={"version": 1}))
    after = asked_again(shared, f"/items/{item_id}", before.headers["etag"])
    assert (after.status, after.json["item"]) == (200, before.json["item"])


def test_a_deleted_item_is_gone_whatever_was_seen_of_it(shared: World) -> None:
    item_id = item_in(shared, "READY")
    seen = tag(shared, f"/items/{item_id}")
    shared.api("DELETE", f"/items/{item_id}")
    for known in (seen, "*"):
        told(asked_again(shared, f"/items/{item_id}", known), 404, "NOT_FOUND")


def test_an_items_tag_is_what_a_change_names(shared: World) -> None:
    item_id = item_in(shared, "READY")
    seen = tag(shared, f"/items/{item_id}?versions=true")
    assert shared.api("PATCH", f"/items/{item_id}", {"title": "x"}, if_match=seen).status == 200
    told(shared.api("PATCH", f"/items/{item_id}", {"title": "y"}, if_match=seen), 412, "VERSION_MISMATCH")


@pytest.mark.parametrize("query", ["", "?sort=created_desc", "?q=fencing", "?status=READY&limit=1"])
def test_a_list_is_sent_again_only_once_something_in_it_has_changed(shared: World, query: str) -> None:
    item_id = item_in(shared, "READY")
    rewrite(shared, item_id, inbox=f"8#100.0#{item_id}")
    seen = tag(shared, f"/items{query}")
    again = asked_again(shared, f"/items{query}", seen)
    assert (again.status, again.text) == (304, "")
    shared.api("PATCH", f"/items/{item_id}", {"title": "Fencing, once more"}, if_match="*")
    found = asked_again(shared, f"/items{query}", seen)
    assert (found.status, found.json["items"][0]["title"]) == (200, "Fencing, once more")


@pytest.mark.parametrize("path", ["/items", "/items/{}", "/items/{}?versions=true"])
def test_head_tells_what_get_would_without_a_body(shared: World, path: str) -> None:
    path = path.format(item_in(shared, "READY"))
    got, headed = shared.api("GET", path), shared.api("HEAD", path)
    assert (headed.status, headed.text, headed.headers) == (200, "", got.headers)
    seen = shared.api("HEAD", path, headers={"if-none-match": got.headers["etag"]})
    assert (seen.status, seen.text) == (304, "")


@pytest.mark.parametrize(
    ("path", "status"), [("/items/x", 404), ("/nowhere", 404), ("/capture", 405), ("/items?q=" + "x" * 201, 400)]
)
def test_head_of_what_get_refuses_is_refused_without_a_body(shared: World, path: str, status: int) -> None:
    answer = shared.api("HEAD", path)
    assert (answer.status, answer.text) == (status, "")


def test_head_needs_a_token_as_get_does(shared: World) -> None:
    answer = shared.api("HEAD", "/items", token="")
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
def test_a_known_path_says_with_which_methods_it_is_asked(
    shared: World, path: str, method: str, allowed: set[str]
) -> None:
    answer = shared.api(method, path, {})
    told(answer, 405, "METHOD_NOT_ALLOWED")
    assert allowed <= set(answer.headers["allow"].split(", "))
    assert method not in answer.headers["allow"].split(", ")
