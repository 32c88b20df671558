"""The largest requests and answers fit into Lambda's 6 MB, with all escapes."""

import json
from typing import Any

import pytest

from readdo.read.requests import Capture
from readdo.store import tokens
from support.world import World

LAMBDA_MAX = 6 * 1024 * 1024
BESIDE_THE_BODY = 64 * 1024  # the gateway allows 10,240 bytes of headers; plus the rest of the event
WIDEST = "\U0001f44d"  # two escapes of six bytes; the event escapes the backslash of each again


def largest(text: str) -> dict[str, Any]:
    limits = {name: schema.get("maxLength", 0) for name, schema in Capture.model_json_schema()["properties"].items()}
    full = {name: text * limits[name] for name in ("intent_text", "content", "title", "domain")}
    return {**full, "url": "https://example.org/" + text * (limits["url"] - 20), "process": False}


def size_in_event(body: str) -> int:
    """Return the size in the event or in the function's answer: text in JSON, fully escaped."""
    return len(json.dumps(body)) + BESIDE_THE_BODY


@pytest.mark.parametrize("text", [WIDEST, "字", '"', "\\"])
def test_largest_capture_is_accepted_and_fits_into_an_event(idle_world: World, text: str) -> None:
    raw = json.dumps(largest(text))
    assert size_in_event(raw) < LAMBDA_MAX
    assert idle_world.api("POST", "/capture", raw=raw).status == 201


@pytest.mark.parametrize("text", [WIDEST, '"'])
def test_list_of_the_largest_items_fits_into_an_answer(idle_world: World, text: str) -> None:
    request = {**largest(text), "content": "text 文本", "on_duplicate": "new"}
    token = tokens.issue(idle_world.table, f"largest-{ord(text)}", "fuzz")
    for _ in range(100):
        assert idle_world.api("POST", "/capture", request, token=token).status == 201
    answer = idle_world.api("GET", "/items?limit=100", token=token)
    assert (answer.status, len(answer.json["items"])) == (200, 100)
    assert size_in_event(answer.text) < LAMBDA_MAX
