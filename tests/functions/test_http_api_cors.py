"""http_api: pages of other origins call it only where the setting names them, and every answer tells the browser so."""

from typing import Any

import pytest
from items_in import item_in

from support.world import World

PAGE = "https://desk.example"
ASKS = {"access-control-request-method": "PUT", "access-control-request-headers": "authorization,if-match"}
SETTINGS = [PAGE, f"https://other.example, {PAGE}/", f" {PAGE} ,"]


def of_cors(answer: Any) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.startswith("access-control-")}


def preflight(world: World, origin: str = PAGE, path: str = "/items") -> Any:
    return world.api("OPTIONS", path, token="", headers={"origin": origin, **ASKS})


@pytest.mark.parametrize("origins", SETTINGS)
def test_a_named_page_may_call_and_read_what_it_needs(
    shared: World, monkeypatch: pytest.MonkeyPatch, origins: str
) -> None:
    monkeypatch.setenv("CORS_ORIGINS", origins)
    asked = preflight(shared)
    assert (asked.status, asked.text, asked.headers["vary"]) == (204, "", "Origin")
    found = of_cors(asked)
    assert found["access-control-allow-origin"] == PAGE
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        assert method in found["access-control-allow-methods"].split(", ")
    for name in ("authorization", "content-type", "idempotency-key", "if-match", "if-none-match"):
        assert name in found["access-control-allow-headers"].lower().split(", ")
    answer = shared.api("GET", "/items", headers={"origin": PAGE})
    assert (answer.status, answer.headers["vary"]) == (200, "Origin")
    assert of_cors(answer)["access-control-allow-origin"] == PAGE
    assert {"etag", "location"} <= set(of_cors(answer)["access-control-expose-headers"].lower().split(", "))


CALLS: list[tuple[str, str, dict[str, Any], int]] = [
    ("GET", "/items", {"token": ""}, 401),
    ("GET", "/items/x", {}, 404),
    ("GET", "/nowhere", {}, 404),
    ("PUT", "/items", {}, 405),
    ("POST", "/capture", {"raw": "{"}, 400),
    ("POST", "/capture", {"raw": "x" * 7_000_000}, 413),
    ("HEAD", "/items", {}, 200),
    ("GET", "/items", {"headers": {"if-none-match": "*"}}, 304),
]


@pytest.mark.parametrize(("method", "path", "more", "status"), CALLS, ids=[f"{c[3]} {c[0]}" for c in CALLS])
def test_a_page_can_read_every_refusal(
    shared: World, monkeypatch: pytest.MonkeyPatch, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    monkeypatch.setenv("CORS_ORIGINS", PAGE)
    headers = {"origin": PAGE, **more.get("headers", {})}
    answer = shared.api(method, path, **{**more, "headers": headers})
    assert (answer.status, of_cors(answer)["access-control-allow-origin"]) == (status, PAGE)


STRANGERS = [
    "https://evil.example",
    f"{PAGE}.evil.example",
    "http://desk.example",
    f"{PAGE}:8443",
    "https://sub.desk.example",
    "null",
    "https://desk.exampl",
]


@pytest.mark.parametrize("origin", STRANGERS)
def test_a_page_that_is_not_named_is_told_nothing_of_it(
    shared: World, monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    monkeypatch.setenv("CORS_ORIGINS", PAGE)
    assert of_cors(preflight(shared, origin)) == {}
    answer = shared.api("GET", "/items", headers={"origin": origin})
    assert (of_cors(answer), answer.headers["vary"]) == ({}, "Origin")


def test_without_the_setting_no_page_is_let_in(shared: World) -> None:
    assert of_cors(preflight(shared)) == {}
    assert of_cors(shared.api("GET", "/items", headers={"origin": PAGE})) == {}


def test_a_star_lets_in_every_page_but_never_its_cookies(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", "*")
    for answer in (preflight(shared), shared.api("GET", "/items", headers={"origin": "https://any.example"})):
        assert of_cors(answer)["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in of_cors(answer)


def test_a_preflight_does_nothing_and_opens_nothing(shared: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORS_ORIGINS", PAGE)
    item_id = item_in(shared, "READY")
    before = shared.row(item_id)
    assert preflight(shared, path=f"/items/{item_id}").text == ""
    assert shared.row(item_id) == before
    assert shared.api("GET", "/items", token="", headers={"origin": PAGE}).status == 401


def test_options_that_are_no_preflight_need_a_token(shared: World) -> None:
    assert shared.api("OPTIONS", "/items", token="").status == 401
    answer = shared.api("OPTIONS", "/items")
    assert answer.status == 405
    assert "GET" in answer.headers["allow"]
