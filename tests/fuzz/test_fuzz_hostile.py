"""Hostile requests: each is refused with a defined error or accepted as described."""

import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from fuzz.hostile import (
    CURSORS,
    GOOD,
    KEYS,
    LETTERS,
    MARK,
    NO_JSON,
    NO_TEXT,
    SEGMENTS,
    VALUES,
    fields_of,
    limits_of,
    places_of,
    replaced,
    taking_a_body,
    with_value,
)
from readdo.api.registry import CALLS
from readdo.web.call_spec import Call
from readdo.web.request_body import PAYLOAD_MAX, Body
from support.collect_pool import supplement
from support.sample_run import SampleRun
from support.world import World

ANSWER_MAX = 6_000_000
CALLS_WITH_A_BODY = taking_a_body()
NAMES = [call.name for call, _ in CALLS_WITH_A_BODY]
KEYED = [call for call in CALLS if "Idempotency-Key" in call.headers]


class Target:
    """Item that only accepted requests may change."""

    def __init__(self, world: World, sample: SampleRun) -> None:
        self.world, self.sample = world, sample
        self.others = dict(self._other_ids())
        self.renew()

    def _other_ids(self) -> Iterator[tuple[str, str]]:
        """Yield ids of a task, a run, a webhook, a delivery, an import and a job, so that only the body is wrong."""
        world = self.world
        task = world.api("POST", "/tasks", {"intent": "runQA"}).json["task"]["id"]
        yield "task_id", task
        yield "run_id", world.api("POST", "/tasks/claim", {"worker": "w", "task": task}).json["run"]["id"]
        hook = world.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}).json["webhook"]["id"]
        yield "webhook_id", hook
        yield "delivery_id", world.api("POST", f"/webhooks/{hook}/test").json["delivery"]["id"]
        yield "import_id", world.api("POST", "/import", {"filename": "a.csv", "size": 1}).json["import"]["id"]
        yield "job_id", world.api("POST", "/jobs", {"filename": "a.txt", "size": 1}).json["job"]["id"]
        world.api("POST", "/assignments", supplement("hostile"))
        yield from (("assignment_id", "hostile"), ("document_path", "hostile.md"), ("number", "1"))

    def renew(self) -> None:
        self.id = self.sample.copied(self.world.table, self.world.owner)
        self.row = self.world.row(self.id)

    def path(self, call: Call) -> str:
        values = {"id": self.id, "type": "todos", "version": "1", "export_key": "k", "file": "card.md"}
        values |= self.others
        return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], "0" * 12), call.path)

    def send(self, call: Call, path: str, **options: Any) -> SimpleNamespace:
        answer = self.world.api(call.method, path, if_match="*", **options)
        if answer.status >= 400:
            assert (answer.status < 500, set(answer.json)) == (True, {"error"}), answer.text[:300]
            assert answer.json["error"]["message"]
            assert self.world.row(self.id) == self.row
        elif call.writes:
            self.renew()
        assert len(answer.text.encode()) < ANSWER_MAX
        return answer

    def is_refused(self, call: Call, path: str, status: int, code: str, **options: Any) -> dict[str, Any]:
        answer = self.send(call, path, **options)
        assert (answer.status, answer.json["error"]["code"]) == (status, code), answer.text[:300]
        return dict(answer.json["error"])


@pytest.fixture(scope="module")
def target(idle_world: World, sample: SampleRun) -> Target:
    return Target(idle_world, sample)


@pytest.mark.parametrize(("call", "model"), CALLS_WITH_A_BODY, ids=NAMES)
def test_any_value_in_any_field_is_refused_or_accepted(target: Target, call: Call, model: type[Body]) -> None:
    for place in fields_of(model):
        for value in VALUES:
            target.send(call, target.path(call), raw=with_value(model, place, value))


def _beyond(kind: str, limit: int) -> list[Any]:
    if kind == "maximum":
        return [limit + 1]
    return ["字" * (limit + 1), "x" * (limit + 1)] if kind == "maxLength" else [["read"] * (limit + 1)]


@pytest.mark.parametrize(("call", "model"), CALLS_WITH_A_BODY, ids=NAMES)
def test_value_over_a_limit_is_refused_with_the_limit(target: Target, call: Call, model: type[Body]) -> None:
    for field, kind, limit in limits_of(model):
        for value in _beyond(kind, limit):
            raw = with_value(model, (field,), json.dumps(value))
            error = target.is_refused(call, target.path(call), 400, "VALIDATION_ERROR", raw=raw)
            assert str(limit) in error["message"].replace(",", "")
            assert {wrong["field"] for wrong in error["details"]["fields"]} >= {field}


@pytest.mark.parametrize("kind", ["summary", "todos", "card"])
def test_any_value_in_an_artifact_is_refused_or_accepted(target: Target, kind: str) -> None:
    edit = next(call for call in CALLS if call.name == "editArtifact")
    payload = target.sample.payloads[kind]
    places = [place for place in places_of(payload) if place[2:3] != ("content",)]  # which is generated from the card
    for turn, place in enumerate(places):
        for value in VALUES[turn % 4 :: 4]:
            path = f"/items/{target.id}/artifacts/{kind}"
            target.send(edit, path, raw=json.dumps(replaced(payload, place)).replace(f'"{MARK}"', value))
    for raw in NO_JSON[2:]:
        target.is_refused(edit, f"/items/{target.id}/artifacts/{kind}", *refusal_of(raw), raw=raw)


def refusal_of(raw: str) -> tuple[int, str]:
    return (413, "TOO_LARGE") if len(raw) > PAYLOAD_MAX else (400, "VALIDATION_ERROR")


@pytest.mark.parametrize(("call", "model"), CALLS_WITH_A_BODY, ids=NAMES)
def test_invalid_json_is_refused(target: Target, call: Call, model: type[Body]) -> None:
    for raw in NO_JSON:
        if raw.strip() or (model.model_fields and any(field.is_required() for field in model.model_fields.values())):
            target.is_refused(call, target.path(call), 400, "VALIDATION_ERROR", raw=raw)


@pytest.mark.parametrize(("call", "model"), CALLS_WITH_A_BODY, ids=NAMES)
def test_too_large_body_is_refused(target: Target, call: Call, model: type[Body]) -> None:
    assert model
    for letter in LETTERS:
        raw = letter * (5_000_001 // len(letter.encode()) + 1)
        error = target.is_refused(call, target.path(call), 413, "TOO_LARGE", raw=raw)
        assert "5 MB" in error["message"]


@pytest.mark.parametrize(("call", "model"), CALLS_WITH_A_BODY, ids=NAMES)
def test_body_that_is_not_utf8_is_refused(target: Target, call: Call, model: type[Body]) -> None:
    assert model
    for raw in NO_TEXT:
        target.is_refused(call, target.path(call), 400, "VALIDATION_ERROR", raw=raw, base64=True)


@pytest.mark.parametrize("call", KEYED, ids=lambda call: call.name)
def test_invalid_idempotency_key_is_refused(target: Target, call: Call) -> None:
    for key in KEYS:
        body = GOOD.get(call.takes)
        raw = json.dumps({k: v for k, v in body.items() if k != "export_key"}) if body is not None else "{}"
        error = target.is_refused(call, target.path(call), 400, "VALIDATION_ERROR", raw=raw, key=key)
        assert error["details"]["fields"][0]["field"] == "Idempotency-Key"


@pytest.mark.parametrize("call", [call for call in CALLS if "{" in call.path], ids=lambda call: call.name)
def test_invalid_path_segment_is_not_found(target: Target, call: Call) -> None:
    for place in re.findall(r"\{\w+\}", call.path):
        for odd in SEGMENTS:
            path = target.path(Call(call.method, call.path.replace(place, "@@"), "", "", {})).replace("@@", odd)
            answer = target.send(call, path, raw="{}")
            assert answer.status in (400, 404, 405)


@pytest.mark.parametrize("cursor", CURSORS, ids=range(len(CURSORS)))
def test_forged_cursor_is_refused(target: Target, cursor: str) -> None:
    listing = next(call for call in CALLS if call.name == "listItems")
    target.is_refused(listing, f"/items?cursor={cursor}", 400, "VALIDATION_ERROR")


@pytest.mark.parametrize("name", ["status", "q", "cursor", "x", "状态", ""])
def test_too_many_query_values_are_refused(target: Target, name: str) -> None:
    listing = next(call for call in CALLS if call.name == "listItems")
    query = "&".join(f"{name}={n}" for n in range(10_000))
    assert "50" in target.is_refused(listing, f"/items?{query}", 400, "VALIDATION_ERROR")["message"]


def test_ten_thousand_unknown_headers_are_ignored(target: Target) -> None:
    listing = next(call for call in CALLS if call.name == "listItems")
    headers = {f"x-{n}": "字\u202e" * 9 for n in range(10_000)}
    assert target.send(listing, "/items", headers=headers).status == 200
