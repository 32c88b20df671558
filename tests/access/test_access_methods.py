"""Unknown methods and paths: they change nothing, and without a token the response reveals nothing."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest

from access.api_calls import PROTECTED_CALLS, Account
from readdo.api.registry import CALLS
from routes.request_context import methods_of

PATHS = sorted({call.path for call in CALLS})
CLOSED_PATHS = sorted({call.path for call in PROTECTED_CALLS})
METHODS = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "GETX",
    "租",
    "",
]
OVERRIDES = ["x-http-method-override", "x-http-method", "x-method-override", "_method"]
# Paths that the authorization and the router could parse differently.
NEARLY_OPEN = [
    *(
        "/docs/",
        "//docs",
        "/docs//",
        "/DOCS",
        "/docs\n",
        "/docs%2f",
        "/docs/../items",
        "/docs/..%2fitems",
        "/docs;/items",
    ),
    *(
        "/items/../docs",
        "/items/docs",
        "/docs/items",
        "/docs#/items",
        "/docs\x00",
        "/openapi.json/",
        "/openapi.json/items",
    ),
    *("/openapi%2ejson", "/openapi.json\n", "/./docs", "docs", "", "/", "*", "/$default/docs", "/docs/openapi.json"),
]


def filled_path(account: Account, path: str) -> str:
    return account.path(next(call for call in CALLS if call.path == path))


@pytest.mark.parametrize("path", CLOSED_PATHS)
def test_unknown_method_reveals_and_changes_nothing(account: Account, path: str) -> None:
    filled, before = filled_path(account, path), account.stored()
    for method in METHODS:
        answer = account.world.api(method, filled, {}, token="")
        assert answer.status == 401, method
        assert "allow" not in answer.headers
        if method in methods_of(filled):
            continue
        answer = account.world.api(method, filled, {})
        assert answer.status == 405, method
        assert answer.text == "" if method == "HEAD" else "METHOD_NOT_ALLOWED" in answer.text
        assert answer.headers["allow"] == ", ".join(methods_of(filled))
    assert account.stored() == before


@pytest.mark.parametrize("path", PATHS)
def test_method_override_headers_are_ignored(account: Account, path: str) -> None:
    if "GET" not in methods_of(path):
        return
    filled, before = filled_path(account, path), account.stored()
    usual = account.world.api("GET", filled)
    for name in OVERRIDES:
        for method in ("DELETE", "POST", "PATCH"):
            answer = account.world.api("GET", filled, headers={name: method})
            assert (answer.status, _etag_and_headers(answer)) == (usual.status, _etag_and_headers(usual))
    assert account.stored() == before


def _etag_and_headers(answer: Any) -> Any:
    return answer.headers.get("etag"), sorted(answer.headers)


@pytest.mark.parametrize("path", CLOSED_PATHS)
def test_head_without_a_token_gets_401(account: Account, path: str) -> None:
    answer = account.world.api("HEAD", filled_path(account, path), token="")
    assert (answer.status, answer.text) == (401, "")
    assert set(answer.headers) == {"content-type"}


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", NEARLY_OPEN)
def test_path_similar_to_an_open_one_needs_a_token(account: Account, method: str, path: str) -> None:
    before = account.stored()
    assert account.world.api(method, path, token="").status == 401
    assert account.world.api(method, path).status in (404, 405)
    assert account.stored() == before


@pytest.mark.parametrize("call", [call for call in CALLS if call.is_open], ids=lambda call: call.name)
def test_open_path_answers_everyone_alike_and_trusts_no_header(account: Account, call: Any) -> None:
    usual = account.world.api("GET", call.path, token="")
    assert usual.status == 200
    lies = {"host": "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript"}
    lies |= {"forwarded": "host=evil.example", "x-original-url": "/items", "x-rewrite-url": "/items"}
    answers = [account.world.api("GET", call.path, token="", headers=lies), account.world.api("GET", call.path)]
    assert [answer.text for answer in answers] == [usual.text] * 2
    assert "evil.example" not in str([answer.headers for answer in answers])
    for method in set(METHODS) - {"GET", "HEAD"}:
        assert account.world.api(method, call.path, token="").status == 405


def test_gateway_domain_is_escaped_in_the_description(account: Account) -> None:
    for name in ('x"},{"url":"https://evil.example', "x\r\nSet-Cookie: a=b", "x\\", "租约.example"):
        description = account.world.api("GET", "/openapi.json", token="", domain=name).json
        assert len(description["servers"]) == 1
        assert set('"\r\n\\') & set(description["servers"][0]["url"]) == set()


def test_docs_page_runs_only_its_own_script(account: Account) -> None:
    answer = account.world.api("GET", "/docs", token="")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    nothing = dict.fromkeys(("default-src", "base-uri", "form-action", "frame-ancestors"), "'none'")
    own = {f"{tag}-src": f"'sha256-{digest_inside(tag, answer.text)}'" for tag in ("style", "script")}
    assert policy == {**nothing, **own, "connect-src": "'self'"}


def digest_inside(tag: str, page: str) -> str:
    """Return the digest that a browser computes of the page's only element of this name."""
    _, inside = page.split(f"<{tag}>")
    assert page.lower().count(f"<{tag}") == 1
    return b64encode(sha256(inside.split(f"</{tag}>")[0].encode()).digest()).decode()
