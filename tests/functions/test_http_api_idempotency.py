"""The idempotency table of docs/api.md, cell by cell."""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from functions.items_in import PAST, TODOS, item_in, no_lease_taken, run_together, stored_data
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.template import ROOT
from support.world import TEXT, World

CAPTURE = {"intent_text": "save it", "content": TEXT, "process": False}


@dataclass
class Kind:
    """A column of the table: how the key is sent and how the first call is answered."""

    send: Callable[[World, str, str, bool], SimpleNamespace]  # (world, item, key, other body) → response
    first: int
    again: int
    starts_in: str = "READY"
    lives: bool = False  # the key lives as long as the item; otherwise for a day
    record: tuple[str, str] = ("item", "")  # the kind of the key's row, and the prefix of the item's id in a batch
    other: int = 422
    unlike: set[str] = field(default_factory=set)  # fields that only the first response has


def item_call(path: str, body: dict[str, Any], other: dict[str, Any], method: str = "POST") -> Any:
    def send(world: World, item: str, key: str, differs: bool) -> SimpleNamespace:
        payload = {**body, **other} if differs else body
        return world.api(method, f"/items/{item}{path}", payload, key=key, if_match="*")

    return send


def capture_with_id(world: World, _item: str, key: str, differs: bool) -> SimpleNamespace:
    named = str(uuid.uuid5(uuid.NAMESPACE_URL, key))
    return world.api("POST", "/capture", {**CAPTURE, "capture_id": named} | ({"title": "x"} if differs else {}))


def capture_with_key(world: World, _item: str, key: str, differs: bool) -> SimpleNamespace:
    return world.api("POST", "/capture", CAPTURE | ({"title": "x"} if differs else {}), key=key)


def export_item(world: World, item: str, key: str, differs: bool) -> SimpleNamespace:
    body = {"export_key": key, "formats": ["caption"] if differs else ["md"]}
    return world.api("POST", f"/items/{item}/export", body)


def batch_item(world: World, item: str, key: str, differs: bool) -> SimpleNamespace:
    body = {"ids": [item], "action": "delete" if differs else "archive"}
    return world.api("POST", "/items/batch", body, key=key)


def create_token(world: World, _item: str, key: str, differs: bool) -> SimpleNamespace:
    return world.api("POST", "/tokens", {"name": "another" if differs else "one"}, key=key)


KINDS = {
    "`capture_id`": Kind(capture_with_id, 201, 200, lives=True, other=200),
    "capture": Kind(capture_with_key, 201, 200, lives=True),
    "process": Kind(item_call("/process", {"mode": "REGENERATE"}, {"mode": "PROCESS"}), 202, 202),
    "move": Kind(item_call("/archive", {}, {"reason": "FAILURE_ARCHIVE"}), 200, 200),
    "patch": Kind(item_call("", {"title": "A"}, {"title": "B"}, "PATCH"), 200, 200),
    "edit": Kind(item_call("/artifacts/todos", TODOS, {"todos": []}, "PUT"), 201, 201),
    "export": Kind(export_item, 202, 200, lives=True),
    "batch": Kind(batch_item, 200, 200, record=("batch", "")),
    "token": Kind(create_token, 201, 200, record=("token", ""), unlike={"secret"}),
}
every_kind = pytest.mark.parametrize("name", KINDS)


def repeatable_part(answer: SimpleNamespace, kind: Kind) -> Any:
    """The parts of a response that a repeated call must return again."""
    if kind.lives:
        item = answer.json["item"]
        return item["id"], item["created_at"], answer.json.get("export", {}).get("meta", {}).get("run_id")
    if "token" in answer.json:
        return {name: value for name, value in answer.json["token"].items() if name not in kind.unlike}
    return answer.json


@every_kind
def test_repeated_call_returns_the_first_answer(world: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(world, "READY"), f"repeated-{uuid.uuid4()}"
    with no_lease_taken(world):
        first = kind.send(world, item, key, False)
    world.settle()
    before = stored_data(world, item)
    again = kind.send(world, item, key, False)
    assert (first.status, again.status) == (kind.first, kind.again)
    assert repeatable_part(again, kind) == repeatable_part(first, kind)
    assert stored_data(world, item) == before


@every_kind
def test_concurrent_calls_with_one_key_run_once(world: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(world, "READY"), f"at-once-{uuid.uuid4()}"
    before = ids_of_items_and_tokens(world)
    with no_lease_taken(world):
        answers = run_together(6, lambda _: kind.send(world, item, key, False))
    assert {answer.status for answer in answers} <= {kind.first, kind.again}
    assert all(repeatable_part(answer, kind) == repeatable_part(answers[0], kind) for answer in answers)
    assert len(ids_of_items_and_tokens(world) - before) == (1 if name in ("`capture_id`", "capture", "token") else 0)
    world.settle()


def ids_of_items_and_tokens(world: World) -> set[str]:
    """The ids of all items and tokens."""
    items = world.api("GET", "/items?sort=created_desc&limit=100").json["items"]
    return {row["id"] for row in (*items, *world.api("GET", "/tokens").json["tokens"])}


@every_kind
def test_key_with_another_body_is_refused(world: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(world, "READY"), f"other-{uuid.uuid4()}"
    with no_lease_taken(world):
        first = kind.send(world, item, key, False)
        world.settle()
        before = stored_data(world, item)
        other = kind.send(world, item, key, True)
    assert other.status == kind.other
    if kind.other == 422:
        assert other.json["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"
    else:
        assert repeatable_part(other, kind) == repeatable_part(first, kind)
    assert stored_data(world, item) == before


@every_kind
def test_key_expires_after_a_day(world: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(world, "READY"), f"later-{uuid.uuid4()}"
    with no_lease_taken(world):
        first = kind.send(world, item, key, False)
    world.settle()
    if kind.lives:
        assert repeatable_part(kind.send(world, item, key, False), kind) == repeatable_part(first, kind)
        return
    world.table.write(Write(keys.idempotency("me", kind.record[0], key), sets={"expires_at": PAST}))
    answer = kind.send(world, item, key, True)
    assert answer.json.get("error", {}).get("code") != "IDEMPOTENCY_KEY_REUSED", "the key is free for another request"


def test_idempotency_table_in_the_docs_has_these_rows_and_columns() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = text[text.index("## The same request twice") :].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    whens = {"first", "repeated", "repeated while the first still runs", "another body", "after 24 hours"}
    heads = [row for row in rows if row[0] == "when"]
    assert len(heads) == 2
    assert sorted(row[0] for row in rows if row[0] in whens) == sorted([*whens] * 2)
    named = " ".join(heads[0][1:])
    assert {word for word in re.findall(r"[a-z_`]+", named) if word in KINDS} == set(KINDS)
