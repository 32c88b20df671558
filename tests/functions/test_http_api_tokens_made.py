"""http_api: tokens are created, listed and revoked; none grants more scopes than its creator has."""

import uuid
from typing import Any

import pytest

from functions.error_answers import assert_error, error_fields
from functions.items_in import run_together
from readdo.store import keys, tokens
from readdo.web import auth
from support.world import World


def create_token(world: World, **body: Any) -> Any:
    more = {name: body.pop(name) for name in ("key", "token") if name in body}
    return world.api("POST", "/tokens", {"name": "script", **body}, **more)


def list_tokens(world: World, **more: Any) -> dict[str, dict[str, Any]]:
    return {token["id"]: token for token in world.api("GET", "/tokens", **more).json["tokens"]}


@pytest.mark.parametrize("name", ["my script", "我的脚本"])
def test_new_token_is_shown_once_and_has_its_scopes(world: World, name: str) -> None:
    answer = create_token(world, name=name, scopes=["read"], days=2)
    token = answer.json["token"]
    assert (answer.status, token["name"], token["scopes"]) == (201, name, ["read"])
    assert world.api("GET", "/items", token=token["secret"]).status == 200
    assert_error(world.api("POST", "/capture", {}, token=token["secret"]), 403, "FORBIDDEN")
    listed_token = list_tokens(world)[token["id"]]
    assert listed_token == {**{k: v for k, v in token.items() if k != "secret"}, "current": False}
    assert token["secret"] not in world.api("GET", "/tokens").text
    assert "hash" not in world.api("GET", "/tokens").text


def test_table_does_not_hold_the_secret_of_a_token(world: World) -> None:
    secret = create_token(world, key=str(uuid.uuid4())).json["token"]["secret"]
    rows = world.table.query(keys.partition(keys.owner("me"))).rows
    assert rows
    assert secret not in str(rows)


def test_list_marks_the_current_token(world: World) -> None:
    assert [token["name"] for token in list_tokens(world).values() if token["current"]] == ["test"]


def test_revoked_token_gets_401_after_the_cache_expires(world: World) -> None:
    token = create_token(world).json["token"]
    assert world.api("DELETE", f"/tokens/{token['id']}").status == 204
    auth.forget()
    assert_error(world.api("GET", "/items", token=token["secret"]), 401, "UNAUTHENTICATED")
    assert token["id"] not in list_tokens(world)
    assert_error(world.api("DELETE", f"/tokens/{token['id']}"), 404, "NOT_FOUND")


PATHS = ["/tokens", "/tokens/", "/tokens\n", "/tokens//", "/tokens?x=1"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_tokens_scope_is_needed_to_list_and_create_tokens(world: World, method: str, path: str) -> None:
    worker = tokens.issue(world.table, "me", "worker", scopes=("read", "write"))
    before = list_tokens(world)
    answer = world.api(method, path, {"name": "mine"} if method == "POST" else None, token=worker)
    assert answer.status == 403
    assert list_tokens(world) == before


def test_tokens_scope_is_needed_to_revoke_tokens(world: World) -> None:
    worker = tokens.issue(world.table, "me", "worker", scopes=("read", "write"))
    token = create_token(world).json["token"]
    for path in (f"/tokens/{token['id']}", f"/tokens/{token['id']}\n"):
        assert_error(world.api("DELETE", path, token=worker), 403, "FORBIDDEN")
    assert token["id"] in list_tokens(world)


@pytest.mark.parametrize(("has", "wants"), [(["tokens"], ["read"]), (["read", "tokens"], ["read", "write"])])
def test_token_cannot_grant_scopes_that_it_lacks(world: World, has: list[str], wants: list[str]) -> None:
    giver = create_token(world, scopes=has).json["token"]["secret"]
    before = list_tokens(world)
    assert_error(create_token(world, scopes=wants, token=giver), 403, "FORBIDDEN")
    assert list_tokens(world) == before
    assert create_token(world, scopes=["tokens"], token=giver).status == 201


def test_tokens_of_another_owner_are_not_listed_and_not_revoked(world: World) -> None:
    stranger = tokens.issue(world.table, "stranger", "theirs")
    token = create_token(world).json["token"]
    assert [token["name"] for token in list_tokens(world, token=stranger).values()] == ["theirs"]
    assert_error(world.api("DELETE", f"/tokens/{token['id']}", token=stranger), 404, "NOT_FOUND")
    assert token["id"] in list_tokens(world)


@pytest.mark.parametrize("token_id", ["x", "0" * 12, "a" * 3000, "é", "%2e%2e", "T#x", "字", "A" * 12])
def test_malformed_token_id_is_not_found(world: World, token_id: str) -> None:
    assert_error(world.api("DELETE", f"/tokens/{token_id}"), 404, "NOT_FOUND")


def test_token_key_creates_one_token_and_shows_its_secret_once(world: World) -> None:
    key = str(uuid.uuid4())
    before = len(list_tokens(world))
    answers = run_together(6, lambda _: create_token(world, key=key))
    assert sorted(answer.status for answer in answers) == [200] * 5 + [201]
    assert [answer.status for answer in answers if "secret" in answer.json["token"]] == [201]
    assert len({answer.json["token"]["id"] for answer in answers}) == 1
    assert len(list_tokens(world)) == before + 1
    assert_error(create_token(world, key=key, name="another"), 422, "IDEMPOTENCY_KEY_REUSED")


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
def test_token_with_an_invalid_field_names_it(world: World, body: dict[str, Any], field: str) -> None:
    assert error_fields(assert_error(create_token(world, **body), 400, "VALIDATION_ERROR")) == {field}


def test_token_limit_ignores_expired_tokens(world: World) -> None:
    owner = tokens.issue(world.table, "many", "first")
    for n in range(tokens.TOKENS_MAX - 1):
        tokens.issue(world.table, "many", f"{n}", days=-1 if n % 2 else 1)
    assert create_token(world, token=owner).status == 201
    while len(list_tokens(world, token=owner)) < tokens.TOKENS_MAX:
        tokens.issue(world.table, "many", "more")
    assert_error(create_token(world, token=owner), 409, "STATE_CONFLICT")
    assert len(list_tokens(world, token=owner)) == tokens.TOKENS_MAX
