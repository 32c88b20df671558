"""Methods and paths that there are not: without a token nobody learns which there are, with one nothing happens."""

from typing import Any

import pytest
from api_calls import CLOSED, Home

from readdo.web.calls import CALLS, methods_of

PATHS = sorted({call.path for call in CALLS})
CLOSED_PATHS = sorted({call.path for call in CLOSED})
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
# Written so that whoever lets in and whoever answers might read it differently.
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


def with_places(home: Home, path: str) -> str:
    return home.path(next(call for call in CALLS if call.path == path))


@pytest.mark.parametrize("path", CLOSED_PATHS)
def test_a_method_that_there_is_not_tells_a_stranger_nothing_and_does_nothing(home: Home, path: str) -> None:
    asked, before = with_places(home, path), home.kept()
    for method in METHODS:
        answer = home.world.api(method, asked, {}, token="")
        assert answer.status == 401, method
        assert "allow" not in answer.headers
        if method in methods_of(asked):
            continue
        answer = home.world.api(method, asked, {})
        assert answer.status == 405, method
        assert answer.text == "" if method == "HEAD" else "METHOD_NOT_ALLOWED" in answer.text
        assert answer.headers["allow"] == ", ".join(methods_of(asked))
    assert home.kept() == before


@pytest.mark.parametrize("path", PATHS)
def test_a_method_in_a_header_is_none(home: Home, path: str) -> None:
    if "GET" not in methods_of(path):
        return
    asked, before = with_places(home, path), home.kept()
    usual = home.world.api("GET", asked)
    for name in OVERRIDES:
        for method in ("DELETE", "POST", "PATCH"):
            answer = home.world.api("GET", asked, headers={name: method})
            assert (answer.status, _tags(answer)) == (usual.status, _tags(usual))
    assert home.kept() == before


def _tags(answer: Any) -> Any:
    return answer.headers.get("etag"), sorted(answer.headers)


@pytest.mark.parametrize("path", CLOSED_PATHS)
def test_head_tells_a_stranger_no_more_than_get(home: Home, path: str) -> None:
    answer = home.world.api("HEAD", with_places(home, path), token="")
    assert (answer.status, answer.text) == (401, "")
    assert set(answer.headers) == {"content-type"}


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", NEARLY_OPEN)
def test_a_path_that_is_nearly_open_is_closed(home: Home, method: str, path: str) -> None:
    before = home.kept()
    assert home.world.api(method, path, token="").status == 401
    assert home.world.api(method, path).status in (404, 405)
    assert home.kept() == before


@pytest.mark.parametrize("call", [call for call in CALLS if call.is_open], ids=lambda call: call.name)
def test_what_is_open_says_the_same_to_everybody_and_believes_no_header(home: Home, call: Any) -> None:
    usual = home.world.api("GET", call.path, token="")
    assert usual.status == 200
    lies = {"host": "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript"}
    lies |= {"forwarded": "host=evil.example", "x-original-url": "/items", "x-rewrite-url": "/items"}
    answers = [home.world.api("GET", call.path, token="", headers=lies), home.world.api("GET", call.path)]
    assert [answer.text for answer in answers] == [usual.text] * 2
    assert "evil.example" not in str([answer.headers for answer in answers])
    for method in set(METHODS) - {"GET", "HEAD"}:
        assert home.world.api(method, call.path, token="").status == 405


def test_a_gateways_name_cannot_write_into_the_description(home: Home) -> None:
    for name in ('x"},{"url":"https://evil.example', "x\r\nSet-Cookie: a=b", "x\\", "租约.example"):
        told = home.world.api("GET", "/openapi.json", token="", domain=name).json
        assert len(told["servers"]) == 1
        assert set('"\r\n\\') & set(told["servers"][0]["url"]) == set()


def test_the_page_of_the_description_runs_no_script(home: Home) -> None:
    answer = home.world.api("GET", "/docs", token="")
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert "script-src" not in policy
    assert "unsafe-eval" not in answer.headers["content-security-policy"]
    assert "<script" not in answer.text.lower()
    assert policy["base-uri"] == policy["form-action"] == "'none'"
