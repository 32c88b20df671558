"""http_api: tokens are made, listed and revoked by who may, and none gives more than it has."""

import uuid
from typing import Any

import pytest
from error_answers import fields, told
from items_in import at_once

from readdo.store import keys, tokens
from readdo.web import auth
from support.world import World


def make(world: World, **body: Any) -> Any:
    more = {name: body.pop(name) for name in ("key", "token") if name in body}
    return world.api("POST", "/tokens", {"name": "script", **body}, **more)


def listed(world: World, **more: Any) -> dict[str, dict[str, Any]]:
    return {token["id"]: token for token in world.api("GET", "/tokens", **more).json["tokens"]}


@pytest.mark.parametrize("name", ["my script", "我的脚本"])
def test_a_new_token_is_shown_once_and_opens_what_it_says(shared: World, name: str) -> None:
    answer = make(shared, name=name, scopes=["read"], days=2)
    made = answer.json["token"]
    assert (answer.status, made["name"], made["scopes"]) == (201, name, ["read"])
    assert shared.api("GET", "/items", token=made["secret"]).status == 200
    told(shared.api("POST", "/capture", {}, token=made["secret"]), 403, "FORBIDDEN")
    found = listed(shared)[made["id"]]
    assert found == {**{k: v for k, v in made.items() if k != "secret"}, "current": False}
    assert made["secret"] not in shared.api("GET", "/tokens").text
    assert "hash" not in shared.api("GET", "/tokens").text


def test_nothing_in_the_table_gives_the_secret_back(shared: World) -> None:
    secret = make(shared, key=str(uuid.uuid4())).json["token"]["secret"]
    rows = shared.table.query(keys.partition(keys.owner("me"))).rows
    assert rows
    assert secret not in str(rows)


def test_who_asks_finds_its_own_token_in_the_list(shared: World) -> None:
    assert [token["name"] for token in listed(shared).values() if token["current"]] == ["test"]


def test_a_revoked_token_opens_nothing_once_it_is_forgotten(shared: World) -> None:
    made = make(shared).json["token"]
    assert shared.api("DELETE", f"/tokens/{made['id']}").status == 204
    auth.forget()
    told(shared.api("GET", "/items", token=made["secret"]), 401, "UNAUTHENTICATED")
    assert made["id"] not in listed(shared)
    told(shared.api("DELETE", f"/tokens/{made['id']}"), 404, "NOT_FOUND")


PATHS = ["/tokens", "/tokens/", "/tokens\n", "/tokens//", "/tokens?x=1"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_a_token_without_the_scope_neither_looks_nor_makes_by_any_path(shared: World, method: str, path: str) -> None:
    worker = tokens.issue(shared.table, "me", "worker", scopes=("read", "write"))
    before = listed(shared)
    answer = shared.api(method, path, {"name": "mine"} if method == "POST" else None, token=worker)
    assert answer.status == 403
    assert listed(shared) == before


def test_a_token_without_the_scope_revokes_nothing(shared: World) -> None:
    worker = tokens.issue(shared.table, "me", "worker", scopes=("read", "write"))
    made = make(shared).json["token"]
    for path in (f"/tokens/{made['id']}", f"/tokens/{made['id']}\n"):
        told(shared.api("DELETE", path, token=worker), 403, "FORBIDDEN")
    assert made["id"] in listed(shared)


@pytest.mark.parametrize(("has", "wants"), [(["tokens"], ["read"]), (["read", "tokens"], ["read", "write"])])
def test_no_token_gives_more_than_it_has(shared: World, has: list[str], wants: list[str]) -> None:
    giver = make(shared, scopes=has).json["token"]["secret"]
    before = listed(shared)
    told(make(shared, scopes=wants, token=giver), 403, "FORBIDDEN")
    assert listed(shared) == before
    assert make(shared, scopes=["tokens"], token=giver).status == 201


def test_another_owners_tokens_are_neither_seen_nor_revoked(shared: World) -> None:
    stranger = tokens.issue(shared.table, "stranger", "theirs")
    made = make(shared).json["token"]
    assert [token["name"] for token in listed(shared, token=stranger).values()] == ["theirs"]
    told(shared.api("DELETE", f"/tokens/{made['id']}", token=stranger), 404, "NOT_FOUND")
    assert made["id"] in listed(shared)


@pytest.mark.parametrize("given", ["x", "0" * 12, "a" * 3000, "é", "%2e%2e", "T#x", "字", "A" * 12])
def test_an_id_that_is_none_is_not_found(shared: World, given: str) -> None:
    told(shared.api("DELETE", f"/tokens/{given}"), 404, "NOT_FOUND")


def test_a_token_asked_for_again_with_its_key_is_made_once_and_its_secret_told_once(shared: World) -> None:
    key = str(uuid.uuid4())
    before = len(listed(shared))
    found = at_once(6, lambda _: make(shared, key=key))
    assert sorted(answer.status for answer in found) == [200] * 5 + [201]
    assert [answer.status for answer in found if "secret" in answer.json["token"]] == [201]
    assert len({answer.json["token"]["id"] for answer in found}) == 1
    assert len(listed(shared)) == before + 1
    told(make(shared, key=key, name="another"), 422, "IDEMPOTENCY_KEY_REUSED")


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": ""}, "name"),
    ({"name": " \n"}, "name"),
    ({"name": "字" * 81}, "name"),
    ({"scopes": []}, "scopes"),
    ({"scopes": ["admin"]}, "scopes.0"),
    ({"scopes": ["read"] * 4}, "scopes"),
    ({"days": 0}, "days"),
    ({"days": 3651}, "days"),
    ({"days": 1.5}, "days"),
    ({"owner": "you"}, "owner"),
]


@pytest.mark.parametrize(("body", "field"), WRONG, ids=range(len(WRONG)))
def test_a_token_that_cannot_be_made_names_what_is_wrong(shared: World, body: dict[str, Any], field: str) -> None:
    assert fields(told(make(shared, **body), 400, "VALIDATION_ERROR")) == {field}


def test_there_is_an_end_to_tokens_and_one_that_is_over_does_not_count(shared: World) -> None:
    owner = tokens.issue(shared.table, "many", "first")
    for n in range(tokens.TOKENS_MAX - 1):
        tokens.issue(shared.table, "many", f"{n}", days=-1 if n % 2 else 1)
    assert make(shared, token=owner).status == 201
    while len(listed(shared, token=owner)) < tokens.TOKENS_MAX:
        tokens.issue(shared.table, "many", "more")
    told(make(shared, token=owner), 409, "STATE_CONFLICT")
    assert len(listed(shared, token=owner)) == tokens.TOKENS_MAX
