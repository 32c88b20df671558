"""Every route asks for a token, and for one of the right scope; whoever has none learns nothing and changes nothing."""

from typing import Any

import pytest
from api_calls import CLOSED, Home

from readdo import clock
from readdo.store import tokens
from readdo.web import auth
from readdo.web.call import Call
from readdo.web.calls import CALLS

every_call = pytest.mark.parametrize("call", CLOSED, ids=lambda call: call.name)
ALL_SCOPES = {"read", "write", "tokens"}


def told(answer: Any, status: int, code: str, words: str) -> None:
    assert (answer.status, set(answer.json)) == (status, {"error"})
    error = answer.json["error"]
    assert (error["code"], error["details"]) == (code, {})
    assert words in error["message"]
    assert "etag" not in answer.headers
    assert "location" not in answer.headers


def test_the_routes_without_a_token_are_the_two_that_tell_of_nobody() -> None:
    assert {call.path for call in CALLS if call.is_open} == {"/openapi.json", "/docs"}
    assert all(call.method == "GET" for call in CALLS if call.is_open)


# What may stand in the header instead of a token; {} is one that is good.
MALFORMED = [
    *(
        "",
        " ",
        "{}",
        "Bearer",
        "Bearer ",
        "Basic {}",
        "bearer:{}",
        "Bearer={}",
        "Token {}",
        "{} Bearer",
        "Bearer\u00a0{}",
    ),
    *("Bearer x{}", "Bearer {}x", "Bearer {} {}", "Bearer '{}'", "Bearer {},Bearer {}", "Bearer \x00{}", "Bearer 租约"),
    *("Bearer *", "Bearer rdo_", "Bearer null", "Bearer rdo_" + "x" * 100_000, "Bearer \ud800"),
]


@every_call
def test_without_a_token_or_with_a_malformed_one(home: Home, call: Call) -> None:
    before = home.kept()
    told(home.ask(call, token=""), 401, "UNAUTHENTICATED", "Authorization: Bearer <token>")
    for value in MALFORMED:
        headers = {"authorization": value.replace("{}", home.world.token)}
        told(home.ask(call, token="", headers=headers), 401, "UNAUTHENTICATED", "Authorization: Bearer <token>")
    assert home.kept() == before


@every_call
def test_a_token_elsewhere_than_in_its_header_is_none(home: Home, call: Call) -> None:
    before, secret = home.kept(), home.world.token
    for name in ("cookie", "x-api-key", "x-authorization", "proxy-authorization", "x-amz-security-token"):
        told(home.ask(call, token="", headers={name: f"Bearer {secret}"}), 401, "UNAUTHENTICATED", "needs a token")
    for name in ("token", "access_token", "authorization"):
        path = f"{home.path(call)}?{name}={secret}"
        told(home.world.api(call.method, path, token=""), 401, "UNAUTHENTICATED", "needs a token")
    assert home.kept() == before


@every_call
def test_an_expired_a_revoked_and_an_invented_token_are_told_the_same(home: Home, call: Call) -> None:
    expired, revoked = home.token_of("me", days=-1), home.token_of("me")
    found = tokens.bearer_of(home.world.table, revoked, clock.now())
    assert found
    assert tokens.revoke(home.world.table, "me", found.token_id)
    # Who reads the table has the hash and the id, and neither opens anything.
    secrets = [expired, revoked, "rdo_" + "A" * 43, tokens._hash(home.world.token), home.token_id]
    before = home.kept()
    answers = [home.ask(call, token=secret) for secret in secrets]
    for answer in answers:
        told(answer, 401, "UNAUTHENTICATED", "unknown, revoked or past its end")
    assert len({(answer.text, str(answer.headers)) for answer in answers}) == 1
    assert home.kept() == before


TELLS = ("/webhooks", "/tasks/", "/runs/", "/items/{id}/todos", "/items/{id}/artifacts")
TELLING = ("pauseImport", "resumeImport", "cancelImport")


def scopes_of(call: Call) -> set[str]:
    """As CALLS and the product's words promise it, by hand."""
    if call.name in ("listTokens", "makeToken", "revokeToken"):
        return {"tokens"}
    if call.method != "GET" and (call.path.startswith(TELLS) or call.name in TELLING):
        return {"read", "write"}
    return {"read" if call.method == "GET" else "write"}


@every_call
def test_a_token_of_every_scope_but_the_one(home: Home, call: Call) -> None:
    lesser = []
    for wanted in sorted(scopes_of(call)):
        others = sorted(ALL_SCOPES - {wanted})
        lesser.append((wanted, home.token_of("me", *others)))
        lesser += [("", home.token_of("me", scope)) for scope in others]
    before = home.kept()
    for wanted, secret in lesser:
        told(home.ask(call, token=secret), 403, "FORBIDDEN", f"lacks the scope '{wanted}")
    assert home.kept() == before


@every_call
def test_what_is_asked_for_is_enough(home: Home, call: Call) -> None:
    """Against a scope that is asked for and that nobody could have."""
    told_of = home.ask(call, item="01AAAAAAAAAAAAAAAAAAAAAAAA", token=home.token_of("enough", *scopes_of(call)))
    assert told_of.status != 401
    if call.name != "makeToken":  # whose example gives scopes that this token does not have
        assert told_of.status != 403


class Clock:
    def __init__(self) -> None:
        self.now = clock.now()


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Clock:
    time = Clock()
    monkeypatch.setattr(clock, "now", lambda: time.now)
    auth.forget()
    return time


def test_a_revoked_token_lives_a_minute_in_a_warm_function_and_no_longer(home: Home, passing: Clock) -> None:
    secret = home.token_of("me")
    assert home.world.api("GET", "/items", token=secret).status == 200
    found = tokens.bearer_of(home.world.table, secret, passing.now)
    assert found
    assert home.world.api("DELETE", f"/tokens/{found.token_id}").status == 204
    passing.now = clock.after(passing.now, 59)
    home.world.api("GET", "/items", token=secret)  # however it is used meanwhile
    passing.now = clock.after(passing.now, 2)
    for call in CLOSED:
        told(home.ask(call, token=secret), 401, "UNAUTHENTICATED", "revoked")


def test_a_token_that_ends_while_it_is_known_ends(home: Home, passing: Clock) -> None:
    secret = home.token_of("me", days=1)
    passing.now = clock.after(passing.now, 86_400 - 30)
    assert home.world.api("GET", "/items", token=secret).status == 200
    passing.now = clock.after(passing.now, 40)
    for call in CLOSED:
        told(home.ask(call, token=secret), 401, "UNAUTHENTICATED", "past its end")


def test_what_is_kept_of_tokens_in_a_warm_function_has_an_end(home: Home) -> None:
    """Strangers' inventions are not kept at all."""
    auth.forget()
    for n in range(50):
        home.world.api("GET", "/items", token=f"rdo_{n}")
    assert auth._known == {}
