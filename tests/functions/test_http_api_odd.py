"""http_api: malformed input gets a 4xx with a message, never a 500 or an oversized response."""

from typing import Any

import pytest
from pydantic import ValidationError

from functions.error_answers import assert_error, error_fields
from functions.items_in import item_in, stored_data
from readdo.read.requests import Capture
from readdo.web.errors import ApiError
from readdo.web.request_body import FIELDS_MAX, validate
from support.world import World

GOOD = {"intent_text": "make it so", "content": "text", "process": False}
UNUSUAL_TEXTS = ["\u202e", "💥", "\ufffe", "e\u0301", "' OR 1=1 --", "${jndi:ldap://x}", "{{7*7}}", "字"]


@pytest.fixture(scope="module")
def ready(world: World) -> str:
    return item_in(world, "READY")


WRONG_FIELDS: list[tuple[dict[str, Any], str]] = [
    ({"intent_text": "ab"}, "intent_text"),
    ({"intent_text": "x" * 801}, "intent_text"),
    ({"intent_text": " a "}, "intent_text"),
    ({"intent_text": None}, "intent_text"),
    ({"intent_text": ["read", "it"]}, "intent_text"),
    ({"intent_text": 10**30}, "intent_text"),
    ({"intent_text": {"a": {"b": {}}}}, "intent_text"),
    ({"title": "x" * 301}, "title"),
    ({"domain": "x" * 201}, "domain"),
    ({"content": "x" * 400_001}, "content"),
    ({"content": 7}, "content"),
    ({"source_type": "podcast"}, "source_type"),
    ({"source_type": ["web"]}, "source_type"),
    ({"profile": "poet"}, "profile"),
    ({"capture_id": "not-a-uuid"}, "capture_id"),
    ({"capture_id": 5}, "capture_id"),
    ({"language": "x" * 21}, "language"),
    ({"language": "<b>"}, "language"),
    ({"process": "perhaps"}, "process"),
    ({"process": [True]}, "process"),
    ({"url": "ftp://example.org/a"}, "url"),
    ({"url": "javascript:alert(1)"}, "url"),
    ({"url": "http://"}, "url"),
    ({"url": "http://[::1"}, "url"),
    ({"url": "http://\u2100.com/"}, "url"),
    ({"url": "https://example.org/" + "a" * 2000}, "url"),
    ({"surprise": 1}, "surprise"),
]


@pytest.mark.parametrize(("wrong", "field"), WRONG_FIELDS, ids=[f"{f}-{n}" for n, (_, f) in enumerate(WRONG_FIELDS)])
def test_capture_with_an_invalid_field_names_it(world: World, wrong: dict[str, Any], field: str) -> None:
    answer = world.api("POST", "/capture", {**GOOD, **wrong})
    assert field in error_fields(assert_error(answer, 400, "VALIDATION_ERROR"))


@pytest.mark.parametrize(
    ("wrong", "limit"),
    [({"intent_text": "ab"}, "3"), ({"intent_text": "x" * 801}, "800"), ({"title": "x" * 301}, "300")],
)
def test_error_for_a_text_length_names_the_limit(world: World, wrong: dict[str, str], limit: str) -> None:
    words = assert_error(world.api("POST", "/capture", {**GOOD, **wrong}), 400, "VALIDATION_ERROR")["message"]
    assert limit in words
    assert "characters" in words


@pytest.mark.parametrize("missing", ["intent_text", "content"])
def test_capture_names_its_missing_field(world: World, missing: str) -> None:
    answer = world.api("POST", "/capture", {k: v for k, v in GOOD.items() if k != missing})
    assert missing in assert_error(answer, 400, "VALIDATION_ERROR")["message"]


@pytest.mark.parametrize("size", [3, 800])
def test_intent_of_minimum_and_maximum_length_is_accepted(world: World, size: int) -> None:
    assert world.api("POST", "/capture", {**GOOD, "intent_text": "字" * size}).status == 201


NOT_OBJECTS = [
    "[]",
    "[{}]",
    '"text"',
    "5",
    "null",
    "true",
    "NaN",
    "{",
    "}",
    "{'a': 1}",
    "\x00",
    "[" * 50_000,
]
NOT_OBJECTS += ['{"a":' * 50_000, '{"process": ' + "9" * 5000 + "}", "[" * 900 + "]" * 900, '{"intent_text": "\\u12"}']


@pytest.mark.parametrize("path", ["/capture", "/items/{item}/process", "/items/{item}/export", "/items/{item}/ship"])
def test_body_that_is_not_a_json_object_is_rejected(world: World, ready: str, path: str) -> None:
    before = stored_data(world, ready)
    for body in NOT_OBJECTS:
        assert_error(world.api("POST", path.format(item=ready), raw=body, key="k"), 400, "VALIDATION_ERROR")
    assert stored_data(world, ready) == before


ODD_JSON = [
    '{"intent_text": "\\ud800\\ud800\\ud800", "content": "x"}',
    '{"intent_text": "abc", "content": "\\udfff"}',
    '{"intent_text": "abc", "content": "x", "\\ud800": 1}',
    '{"intent_text": NaN, "content": "x"}',
    '{"intent_text": 1e999, "content": "x"}',
    '{"intent_text": "abc", "content": "x", "process": -Infinity}',
    '{"intent_text": ' + "[" * 900 + "]" * 900 + "}",
    '{"intent_text": "abc", "content": "x", "language": "en\\n<script>"}',
    '{"' + "k" * 1_000_000 + '": 1}',
    "{" + ",".join(f'"{n}": 0' for n in range(250_000)) + "}",
]


@pytest.mark.parametrize("n", range(len(ODD_JSON)))
def test_malformed_json_is_rejected_with_a_valid_response(world: World, n: int) -> None:
    assert_error(world.api("POST", "/capture", raw=ODD_JSON[n]), 400, "VALIDATION_ERROR")


def test_validation_reports_few_of_many_unknown_fields() -> None:
    with pytest.raises(ApiError) as refused:
        validate(Capture, {**GOOD, **{str(n): 0 for n in range(1_000)}})
    validation_error = refused.value.__cause__
    assert isinstance(validation_error, ValidationError)
    assert validation_error.error_count() == len(refused.value.details["fields"]) == FIELDS_MAX


@pytest.mark.parametrize("text", UNUSUAL_TEXTS)
def test_unusual_text_is_stored_unchanged(world: World, text: str) -> None:
    intent, title = f"read {text} it", f"a{text}b"
    answer = world.api("POST", "/capture", {**GOOD, "intent_text": intent, "title": title})
    item = world.item(answer.json["item"]["id"])
    assert (item["intent_text"], item["title"]) == (intent, title)


@pytest.mark.parametrize("text", ["\x00", "\r\n", "\t", "\u2028", "\x1b"])
def test_control_characters_are_removed_from_single_line_fields(world: World, text: str) -> None:
    answer = world.api("POST", "/capture", {**GOOD, "intent_text": f"read {text}it", "title": f"a{text}b"})
    assert (answer.json["item"]["intent_text"], answer.json["item"]["title"]) == ("read it", "a b")


@pytest.mark.parametrize("text", ["a\x00b\x00c", "💥💥💥", "\u202eabc", "<script>alert(1)</script>", "字" * 800])
def test_item_with_an_unusual_intent_becomes_ready(world: World, text: str) -> None:
    item = world.settled(world.capture(intent_text=text))
    assert item["status"] == "READY", item.get("failure")


WRONG_EXPORTS: list[tuple[dict[str, Any], str]] = [
    ({"formats": []}, "formats"),
    ({"formats": "png"}, "formats"),
    ({"formats": ["exe"]}, "formats.0"),
    ({"formats": ["png"] * 7}, "formats"),
    ({"formats": {"png": 1}}, "formats"),
    ({"card_version": 0}, "card_version"),
    ({"card_version": -1}, "card_version"),
    ({"card_version": 10**400}, "card_version"),
    ({"card_version": 1.5}, "card_version"),
    ({"card_version": 999_999}, "card_version"),
    ({"options": {"theme": "PINK"}}, "options.theme"),
    ({"options": {"layout": "A4"}}, "options.layout"),
    ({"options": []}, "options"),
    ({"export_key": "x" * 129}, "export_key"),
    ({"export_key": "a b"}, "export_key"),
    ({"export_key": "a/b"}, "export_key"),
    ({"export_key": "é"}, "export_key"),
    ({"export_key": 5}, "export_key"),
    ({"export_key": ""}, "export_key"),
]


@pytest.mark.parametrize(("wrong", "field"), WRONG_EXPORTS, ids=[f"{f}-{n}" for n, (_, f) in enumerate(WRONG_EXPORTS)])
def test_export_with_an_invalid_field_names_it(world: World, ready: str, wrong: dict[str, Any], field: str) -> None:
    before = stored_data(world, ready)
    answer = world.api("POST", f"/items/{ready}/export", {"export_key": "k", **wrong})
    assert field in error_fields(assert_error(answer, 400, "VALIDATION_ERROR"))
    assert stored_data(world, ready) == before


@pytest.mark.parametrize(
    ("call", "body", "field"),
    [
        ("process", {"mode": "AGAIN"}, "mode"),
        ("process", {"process_request_id": "x" * 129}, "process_request_id"),
        ("process", {"process_request_id": "a b"}, "process_request_id"),
        ("process", {"options": {"template_profile": "poet"}}, "options.template_profile"),
        ("archive", {"reason": "SYSTEM_SKIP"}, "reason"),
        ("archive", {"reason": "BORED"}, "reason"),
        ("unarchive", {"regenerate": "perhaps"}, "regenerate"),
        ("keep", {"why": "so"}, "why"),
        ("ship", {"to": "all"}, "to"),
    ],
)
def test_move_with_an_invalid_field_names_it(world: World, ready: str, call: str, body: Any, field: str) -> None:
    before = stored_data(world, ready)
    answer = world.api("POST", f"/items/{ready}/{call}", body)
    assert field in error_fields(assert_error(answer, 400, "VALIDATION_ERROR"))
    assert stored_data(world, ready) == before


@pytest.mark.parametrize("key", ["a b", "x" * 129, "a/b", "é", "\x00", "a\n"])
def test_invalid_idempotency_header_is_named(world: World, ready: str, key: str) -> None:
    answer = world.api("POST", f"/items/{ready}/ship", key=key)
    assert error_fields(assert_error(answer, 400, "VALIDATION_ERROR")) == {"Idempotency-Key"}
