"""The table of docs/api.md, cell by cell: what the same key means the first time, again, at once, and later."""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from items_in import PAST, TODOS, at_once, everything, item_in, stays_queued

from readdo.lifecycle.write import Write
from readdo.store import keys
from support.template import ROOT
from support.world import TEXT, World

CAPTURE = {"intent_text": "save it", "content": TEXT, "process": False}


@dataclass
class Kind:
    """One column of the table: how the key is sent, and what the call answers to the first of its kind."""

    send: Callable[[World, str, str, bool], SimpleNamespace]  # (world, item, key, other body) → answer
    first: int
    again: int
    starts_in: str = "READY"
    lives: bool = False  # as long as the item; else for a day
    record: tuple[str, str] = ("item", "")  # where it is kept, and what is put before the item's id for a batch
    other: int = 422
    unlike: set[str] = field(default_factory=set)  # what the second answer does not repeat of the first


def posted(path: str, body: dict[str, Any], other: dict[str, Any], method: str = "POST") -> Any:
    def send(world: World, item: str, key: str, differs: bool) -> SimpleNamespace:
        given = {**body, **other} if differs else body
        return world.api(method, f"/items/{item}{path}", given, key=key, if_match="*")

    return send


def by_capture_id(world: World, _item: str, key: str, differs: bool) -> SimpleNamespace:
    named = str(uuid.uuid5(uuid.NAMESPACE_URL, key))
    return world.api("POST", "/capture", {**CAPTURE, "capture_id": named} | ({"title": "x"} if differs else {}))


def by_capture_key(world: World, _item: str, key: str, differs: bool) -> SimpleNamespace:
    return world.api("POST", "/capture", CAPTURE | ({"title": "x"} if differs else {}), key=key)


def exported(world: World, item: str, key: str, differs: bool) -> SimpleNamespace:
    body = {"export_key": key, "formats": ["caption"] if differs else ["md"]}
    return world.api("POST", f"/items/{item}/export", body)


def batched(world: World, item: str, key: str, differs: bool) -> SimpleNamespace:
    body = {"ids": [item], "action": "delete" if differs else "archive"}
    return world.api("POST", "/items/batch", body, key=key)


def token(world: World, _item: str, key: str, differs: bool) -> SimpleNamespace:
    return world.api("POST", "/tokens", {"name": "another" if differs else "one"}, key=key)


KINDS = {
    "`capture_id`": Kind(by_capture_id, 201, 200, lives=True, other=200),
    "capture": Kind(by_capture_key, 201, 200, lives=True),
    "process": Kind(posted("/process", {"mode": "REGENERATE"}, {"mode": "PROCESS"}), 202, 202),
    "move": Kind(posted("/archive", {}, {"reason": "FAILURE_ARCHIVE"}), 200, 200),
    "patch": Kind(posted("", {"title": "A"}, {"title": "B"}, "PATCH"), 200, 200),
    "edit": Kind(posted("/artifacts/todos", TODOS, {"todos": []}, "PUT"), 201, 201),
    "export": Kind(exported, 202, 200, lives=True),
    "batch": Kind(batched, 200, 200, record=("batch", "")),
    "token": Kind(token, 201, 200, record=("token", ""), unlike={"secret"}),
}
every_kind = pytest.mark.parametrize("name", KINDS)


def told(answer: SimpleNamespace, kind: Kind) -> Any:
    """What of an answer must come again: all of it, or the thing itself where it shows how that stands now."""
    if kind.lives:
        item = answer.json["item"]
        return item["id"], item["created_at"], answer.json.get("export", {}).get("meta", {}).get("run_id")
    if "token" in answer.json:
        return {name: value for name, value in answer.json["token"].items() if name not in kind.unlike}
    return answer.json


@every_kind
def test_first_then_repeated(shared: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(shared, "READY"), f"repeated-{uuid.uuid4()}"
    with stays_queued(shared):
        first = kind.send(shared, item, key, False)
    shared.settle()
    before = everything(shared, item)
    again = kind.send(shared, item, key, False)
    assert (first.status, again.status) == (kind.first, kind.again)
    assert told(again, kind) == told(first, kind)
    assert everything(shared, item) == before


@every_kind
def test_repeated_while_running(shared: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(shared, "READY"), f"at-once-{uuid.uuid4()}"
    before = made(shared)
    with stays_queued(shared):
        answers = at_once(6, lambda _: kind.send(shared, item, key, False))
    assert {answer.status for answer in answers} <= {kind.first, kind.again}
    assert all(told(answer, kind) == told(answers[0], kind) for answer in answers)
    assert len(made(shared) - before) == (1 if name in ("`capture_id`", "capture", "token") else 0)
    shared.settle()


def made(world: World) -> set[str]:
    """Items and tokens there are."""
    items = world.api("GET", "/items?sort=created_desc&limit=100").json["items"]
    return {row["id"] for row in (*items, *world.api("GET", "/tokens").json["tokens"])}


@every_kind
def test_another_body(shared: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(shared, "READY"), f"other-{uuid.uuid4()}"
    with stays_queued(shared):
        first = kind.send(shared, item, key, False)
        shared.settle()
        before = everything(shared, item)
        other = kind.send(shared, item, key, True)
    assert other.status == kind.other
    if kind.other == 422:
        assert other.json["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"
    else:
        assert told(other, kind) == told(first, kind)
    assert everything(shared, item) == before


@every_kind
def test_after_a_day(shared: World, name: str) -> None:
    kind, item, key = KINDS[name], item_in(shared, "READY"), f"later-{uuid.uuid4()}"
    with stays_queued(shared):
        first = kind.send(shared, item, key, False)
    shared.settle()
    if kind.lives:
        assert told(kind.send(shared, item, key, False), kind) == told(first, kind)
        return
    shared.table.write(Write(keys.once("me", kind.record[0], key), sets={"expires_at": PAST}))
    answer = kind.send(shared, item, key, True)
    assert answer.json.get("error", {}).get("code") != "IDEMPOTENCY_KEY_REUSED", "the key is free for another request"


def test_the_table_in_the_docs_has_these_rows_and_columns() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = text[text.index("## The same request twice") :].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    whens = {"first", "repeated", "repeated while the first still runs", "another body", "after 24 hours"}
    heads = [row for row in rows if row[0] == "when"]
    assert len(heads) == 2
    assert sorted(row[0] for row in rows if row[0] in whens) == sorted([*whens] * 2)
    named = " ".join(heads[0][1:])
    assert {word for word in re.findall(r"[a-z_`]+", named) if word in KINDS} == set(KINDS)
