"""The largest that may be sent, and be answered, fits into Lambda's 6 MB, however it is escaped on the way."""

import json
from typing import Any

import pytest

from readdo.store import tokens
from readdo.web.requests import Capture
from support.world import World

LAMBDA_MAX = 6 * 1024 * 1024
BESIDE_THE_BODY = 64 * 1024  # headers are at most 10,240 bytes to the gateway; and the rest of the event
WIDEST = "\U0001f44d"  # two escapes of six bytes in a request; each has its backslash escaped once more in the event


def largest(text: str) -> dict[str, Any]:
    limits = {name: said.get("maxLength", 0) for name, said in Capture.model_json_schema()["properties"].items()}
    full = {name: text * limits[name] for name in ("intent_text", "content", "title", "domain")}
    return {**full, "url": "https://example.org/" + text * (limits["url"] - 20), "process": False}


def with_the_gateway(body: str) -> int:
    """As the event holds it, or the function's answer: text within JSON, every character of it escaped."""
    return len(json.dumps(body)) + BESIDE_THE_BODY


@pytest.mark.parametrize("text", [WIDEST, "字", '"', "\\"])
def test_the_largest_capture_is_taken_and_fits_into_an_event(still: World, text: str) -> None:
    raw = json.dumps(largest(text))
    assert with_the_gateway(raw) < LAMBDA_MAX
    assert still.api("POST", "/capture", raw=raw).status == 201


@pytest.mark.parametrize("text", [WIDEST, '"'])
def test_a_page_of_the_largest_items_fits_into_an_answer(still: World, text: str) -> None:
    wish = {**largest(text), "content": "text 文本", "on_duplicate": "new"}
    token = tokens.issue(still.table, f"largest-{ord(text)}", "fuzz")
    for _ in range(100):
        assert still.api("POST", "/capture", wish, token=token).status == 201
    answer = still.api("GET", "/items?limit=100", token=token)
    assert (answer.status, len(answer.json["items"])) == (200, 100)
    assert with_the_gateway(answer.text) < LAMBDA_MAX
