"""Every route needs a token with the right scope; a refused request reveals and changes nothing."""

from typing import Any

import pytest

from access.api_calls import PROTECTED_CALLS, Account
from readdo import clock
from readdo.api.registry import CALLS
from readdo.store import tokens
from readdo.web import auth
from readdo.web.call_spec import Call

every_call = pytest.mark.parametrize("call", PROTECTED_CALLS, ids=lambda call: call.name)
ALL_SCOPES = {"read", "write", "tokens"}


def assert_error(answer: Any, status: int, code: str, words: str) -> None:
    assert (answer.status, set(answer.json)) == (status, {"error"})
    error = answer.json["error"]
    assert (error["code"], error["details"]) == (code, {})
    assert words in error["message"]
    assert "etag" not in answer.headers
    assert "location" not in answer.headers


def test_only_the_description_is_open() -> None:
    assert {call.path for call in CALLS if call.is_open} == {"/openapi.json", "/docs"}
    assert all(call.method == "GET" for call in CALLS if call.is_open)


# Values of the header without a valid token; {} is replaced by a valid one.
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
def test_missing_or_malformed_token_gets_401(account: Account, call: Call) -> None:
    before = account.stored()
    assert_error(account.send(call, token=""), 401, "UNAUTHENTICATED", "Authorization: Bearer <token>")
    for value in MALFORMED:
        headers = {"authorization": value.replace("{}", account.world.token)}
        assert_error(
            account.send(call, token="", headers=headers), 401, "UNAUTHENTICATED", "Authorization: Bearer <token>"
        )
    assert account.stored() == before


@every_call
def test_token_outside_the_authorization_header_is_ignored(account: Account, call: Call) -> None:
    before, secret = account.stored(), account.world.token
    for name in ("cookie", "x-api-key", "x-authorization", "proxy-authorization", "x-amz-security-token"):
        assert_error(
            account.send(call, token="", headers={name: f"Bearer {secret}"}), 401, "UNAUTHENTICATED", "needs a token"
        )
    for name in ("token", "access_token", "authorization"):
        path = f"{account.path(call)}?{name}={secret}"
        assert_error(account.world.api(call.method, path, token=""), 401, "UNAUTHENTICATED", "needs a token")
    assert account.stored() == before


@every_call
def test_expired_revoked_and_invented_tokens_get_the_same_answer(account: Account, call: Call) -> None:
    expired, revoked = account.token_of("me", days=-1), account.token_of("me")
    bearer = tokens.bearer_of(account.world.table, revoked, clock.now())
    assert bearer
    assert tokens.revoke(account.world.table, "me", bearer.token_id)
    # A reader of the table has the hash and the id; neither is accepted as a token.
    secrets = [expired, revoked, "rdo_" + "A" * 43, tokens._hash(account.world.token), account.token_id]
    before = account.stored()
    answers = [account.send(call, token=secret) for secret in secrets]
    for answer in answers:
        assert_error(answer, 401, "UNAUTHENTICATED", "unknown, revoked or expired")
    assert len({(answer.text, str(answer.headers)) for answer in answers}) == 1
    assert account.stored() == before


READING_WRITES = ("/webhooks", "/tasks/", "/runs/", "/items/{id}/todos", "/items/{id}/artifacts")
READING_WRITE_NAMES = ("pauseImport", "resumeImport", "cancelImport")


def scopes_of(call: Call) -> set[str]:
    """The scopes that CALLS and the docs promise, written by hand."""
    if call.name in ("listTokens", "makeToken", "revokeToken"):
        return {"tokens"}
    if call.method != "GET" and (call.path.startswith(READING_WRITES) or call.name in READING_WRITE_NAMES):
        return {"read", "write"}
    return {"read" if call.method == "GET" else "write"}


@every_call
def test_token_without_a_needed_scope_gets_403(account: Account, call: Call) -> None:
    lesser = []
    for missing in sorted(scopes_of(call)):
        others = sorted(ALL_SCOPES - {missing})
        lesser.append((missing, account.token_of("me", *others)))
        lesser += [("", account.token_of("me", scope)) for scope in others]
    before = account.stored()
    for missing, secret in lesser:
        assert_error(account.send(call, token=secret), 403, "FORBIDDEN", f"lacks the scope '{missing}")
    assert account.stored() == before


@every_call
def test_needed_scopes_are_sufficient(account: Account, call: Call) -> None:
    """Fails if a call needs a scope that no token can have."""
    answer = account.send(call, item="01AAAAAAAAAAAAAAAAAAAAAAAA", token=account.token_of("enough", *scopes_of(call)))
    assert answer.status != 401
    if call.name != "makeToken":  # its example grants scopes that this token lacks
        assert answer.status != 403


class Clock:
    def __init__(self) -> None:
        self.now = clock.now()


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    time = Clock()
    monkeypatch.setattr(clock, "now", lambda: time.now)
    auth.forget()
    return time


def test_revoked_token_is_cached_for_at_most_a_minute(account: Account, fake_clock: Clock) -> None:
    secret = account.token_of("me")
    assert account.world.api("GET", "/items", token=secret).status == 200
    bearer = tokens.bearer_of(account.world.table, secret, fake_clock.now)
    assert bearer
    assert account.world.api("DELETE", f"/tokens/{bearer.token_id}").status == 204
    fake_clock.now = clock.after(fake_clock.now, 59)
    account.world.api("GET", "/items", token=secret)  # use must not extend the cache's lifetime
    fake_clock.now = clock.after(fake_clock.now, 2)
    for call in PROTECTED_CALLS:
        assert_error(account.send(call, token=secret), 401, "UNAUTHENTICATED", "revoked")


def test_cached_token_expires(account: Account, fake_clock: Clock) -> None:
    secret = account.token_of("me", days=1)
    fake_clock.now = clock.after(fake_clock.now, 86_400 - 30)
    assert account.world.api("GET", "/items", token=secret).status == 200
    fake_clock.now = clock.after(fake_clock.now, 40)
    for call in PROTECTED_CALLS:
        assert_error(account.send(call, token=secret), 401, "UNAUTHENTICATED", "expired")


def test_unknown_tokens_are_not_cached(account: Account) -> None:
    """Unknown tokens are not cached at all."""
    auth.forget()
    for n in range(50):
        account.world.api("GET", "/items", token=f"rdo_{n}")
    assert auth._cache == {}
