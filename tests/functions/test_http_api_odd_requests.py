"""http_api: malformed ids, paths, queries, sizes and encodings get a 4xx with a message, never a 500."""

import base64
import importlib
import json
from types import SimpleNamespace
from typing import Any

import pytest

from functions.error_answers import assert_error, error_fields
from functions.items_in import item_in
from functions.room_events import event
from support.world import World, context

GOOD = {"intent_text": "make it so", "content": "text", "process": False}


@pytest.fixture(scope="module")
def ready(world: World) -> str:
    return item_in(world, "READY")


ODD_IDS = ["x", "../me", "%2e%2e", "01M7Q3A0E2Y5PGMWWDMDF5D2B", "01m7q3a0e2y5pgmwwdmdf5d2bh", "0" * 27, "I" * 26]
ODD_IDS += ["%00", "字" * 26, "a%2Fb", "0" * 26, "O#me", "*", "０" * 26, "%ff", " ", "0" * 25 + "\n"]


@pytest.mark.parametrize("path", ["/items/{}", "/items/{}/exports/k", "/exports/{}/k/card.md"])
def test_malformed_item_id_is_not_found(world: World, path: str) -> None:
    for odd in ODD_IDS:
        assert_error(world.api("GET", path.format(odd)), 404, "NOT_FOUND")


def test_malformed_export_key_or_file_is_not_found(world: World, ready: str) -> None:
    for odd in ["a b", "%00", "..", "x" * 200, "%ff", "字", "nobodys"]:
        assert_error(world.api("GET", f"/items/{ready}/exports/{odd}"), 404, "NOT_FOUND")
        assert_error(world.api("GET", f"/exports/{ready}/k/{odd}"), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/items/", "/items//", "/capture/x", "/items/a/b/c/d", "/" + "x" * 9000]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_unknown_path_is_not_found(world: World, method: str, path: str) -> None:
    assert_error(world.api(method, path), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=1e1", "limit"),
        ("limit=%D9%A3", "limit"),
        ("limit=" + "9" * 5000, "limit"),
        ("limit=5&limit=x", "limit"),
        ("sort=oldest", "sort"),
        ("status=ready", "status"),
        ("status=READY&status=GONE", "status"),
        ("status=READY,GONE", "status"),
        ("status=%00", "status"),
        ("status=%ff", "status"),
        ("priority=P0", "priority"),
        ("source_type=podcast", "source_type"),
    ],
)
def test_invalid_query_value_is_named(world: World, query: str, field: str) -> None:
    assert error_fields(assert_error(world.api("GET", f"/items?{query}"), 400, "VALIDATION_ERROR")) == {field}


@pytest.mark.parametrize("query", ["&&&=&", "limit", "%", "=&=&="])
def test_query_without_parameters_is_accepted(world: World, query: str) -> None:
    assert world.api("GET", f"/items?{query}").status == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [("x=1;y=2", "x"), ("%zz=%zz", "%zz"), ("limit=5&=5", ""), ("a[b]=c", "a[b]"), ("状态=好", "状态")],
)
def test_unknown_query_name_is_reported(world: World, query: str, field: str) -> None:
    assert error_fields(assert_error(world.api("GET", f"/items?{query}"), 400, "VALIDATION_ERROR")) == {field}


def test_query_with_many_parts_causes_no_500(world: World) -> None:
    assert world.api("GET", "/items?" + "&".join(["status=READY"] * 2000)).status in (200, 400)


@pytest.mark.parametrize("extra", [0, 1])
def test_body_over_five_megabytes_gets_413(world: World, extra: int) -> None:
    body = json.dumps(GOOD)
    body += " " * (5_000_000 - len(body) + extra)
    answer = world.api("POST", "/capture", raw=body)
    if extra:
        assert_error(answer, 413, "TOO_LARGE")
    else:
        assert answer.status == 201


def call_handler(request: dict[str, Any]) -> SimpleNamespace:
    answer = importlib.import_module("http_api").handler(request, context("http_api"))
    return SimpleNamespace(status=answer["statusCode"], json=json.loads(answer["body"]), text=answer["body"])


def test_base64_body_is_measured_in_decoded_bytes(world: World) -> None:
    request = event("http_api", "capture_base64", token=world.token)
    request["body"] = base64.b64encode(b" " * 5_000_001).decode()
    assert_error(call_handler(request), 413, "TOO_LARGE")


@pytest.mark.parametrize("case", ["capture_broken_base64", "capture_not_utf8"])
def test_undecodable_body_is_rejected(world: World, case: str) -> None:
    assert_error(call_handler(event("http_api", case, token=world.token)), 400, "VALIDATION_ERROR")


@pytest.mark.usefixtures("world")
def test_request_without_headers_gets_401() -> None:
    request = event("http_api", "without_a_token")
    del request["headers"]
    assert_error(call_handler(request), 401, "UNAUTHENTICATED")
