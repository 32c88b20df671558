"""http_api: odd ids, paths, queries, sizes and encodings are a 4xx in words, never a 500."""

import base64
import importlib
import json
from types import SimpleNamespace
from typing import Any

import pytest
from error_answers import fields, told
from items_in import item_in
from room_events import event

from support.world import World, context

GOOD = {"intent_text": "make it so", "content": "text", "process": False}


@pytest.fixture(scope="module")
def ready(shared: World) -> str:
    return item_in(shared, "READY")


ODD_IDS = ["x", "../me", "%2e%2e", "01M7Q3A0E2Y5PGMWWDMDF5D2B", "01m7q3a0e2y5pgmwwdmdf5d2bh", "0" * 27, "I" * 26]
ODD_IDS += ["%00", "字" * 26, "a%2Fb", "0" * 26, "O#me", "*", "０" * 26, "%ff", " ", "0" * 25 + "\n"]


@pytest.mark.parametrize("path", ["/items/{}", "/items/{}/exports/k", "/exports/{}/k/card.md"])
def test_an_odd_id_is_nobodys(shared: World, path: str) -> None:
    for odd in ODD_IDS:
        told(shared.api("GET", path.format(odd)), 404, "NOT_FOUND")


def test_an_odd_export_key_or_file_is_not_there(shared: World, ready: str) -> None:
    for odd in ["a b", "%00", "..", "x" * 200, "%ff", "字", "nobodys"]:
        told(shared.api("GET", f"/items/{ready}/exports/{odd}"), 404, "NOT_FOUND")
        told(shared.api("GET", f"/exports/{ready}/k/{odd}"), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/items/", "/items//", "/capture/x", "/items/a/b/c/d", "/" + "x" * 9000]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_a_call_there_is_not_is_not_found(shared: World, method: str, path: str) -> None:
    told(shared.api(method, path), 404, "NOT_FOUND")


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
def test_a_query_with_a_wrong_value_names_it(shared: World, query: str, field: str) -> None:
    assert fields(told(shared.api("GET", f"/items?{query}"), 400, "VALIDATION_ERROR")) == {field}


@pytest.mark.parametrize("query", ["&&&=&", "limit", "%", "=&=&="])
def test_an_odd_query_that_asks_for_nothing_is_answered(shared: World, query: str) -> None:
    assert shared.api("GET", f"/items?{query}").status == 200


@pytest.mark.parametrize(
    ("query", "field"),
    [("x=1;y=2", "x"), ("%zz=%zz", "%zz"), ("limit=5&=5", ""), ("a[b]=c", "a[b]"), ("状态=好", "状态")],
)
def test_an_odd_name_in_a_query_is_told_as_unknown(shared: World, query: str, field: str) -> None:
    assert fields(told(shared.api("GET", f"/items?{query}"), 400, "VALIDATION_ERROR")) == {field}


def test_a_query_of_many_parts_is_no_500(shared: World) -> None:
    assert shared.api("GET", "/items?" + "&".join(["status=READY"] * 2000)).status in (200, 400)


@pytest.mark.parametrize("extra", [0, 1])
def test_a_body_over_five_megabytes_is_too_large(shared: World, extra: int) -> None:
    body = json.dumps(GOOD)
    body += " " * (5_000_000 - len(body) + extra)
    answer = shared.api("POST", "/capture", raw=body)
    if extra:
        told(answer, 413, "TOO_LARGE")
    else:
        assert answer.status == 201


def sent(given: dict[str, Any]) -> SimpleNamespace:
    answer = importlib.import_module("http_api").handler(given, context("http_api"))
    return SimpleNamespace(status=answer["statusCode"], json=json.loads(answer["body"]), text=answer["body"])


def test_a_large_body_in_base64_is_measured_by_its_bytes(shared: World) -> None:
    given = event("http_api", "capture_base64", token=shared.token)
    given["body"] = base64.b64encode(b" " * 5_000_001).decode()
    told(sent(given), 413, "TOO_LARGE")


@pytest.mark.parametrize("case", ["capture_broken_base64", "capture_not_utf8"])
def test_a_body_that_cannot_be_read_is_refused_in_words(shared: World, case: str) -> None:
    told(sent(event("http_api", case, token=shared.token)), 400, "VALIDATION_ERROR")


@pytest.mark.usefixtures("shared")
def test_headers_may_be_missing_altogether() -> None:
    given = event("http_api", "without_a_token")
    del given["headers"]
    told(sent(given), 401, "UNAUTHENTICATED")
