"""Each call of those who tell and send × each fault: every move arrives, is one delivery, and nothing stays due."""

import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from fault_calls import Call
from fault_kinds import FAULTS, KINDS, Fault
from fault_matrix import Beginnings, beginnings
from fault_opened import stage
from fault_stage import Stage

from contracts.template_rights import rights_of_functions
from readdo.lifecycle.delivery import TRIES
from readdo.net.http_post import PostResult
from readdo.store import keys
from support.stream import announced
from support.tiers import FAULTS_SHARE, share

URL = "https://hooks.example.com/"
TAKEN, BROKEN = PostResult(204, "It answered 204."), PostResult(500, "It answered 500.")
# Nobody overtakes a sender by a lease: its epoch is struck by "slow", when another has made its try meanwhile.
STRIKES = tuple(fault for fault in FAULTS if fault.name not in ("overtaken", "late"))
STREAM_TRIES = 4
EVERY = os.environ.get("READDO_FAULTS") == "all"
Act = Callable[[Stage], None]


class Far:
    """The receiver: it answers as it is told, and counts what came."""

    def __init__(self) -> None:
        self.got: Counter[str] = Counter()
        self.answers: list[PostResult] = []

    def post(self, _url: str, _body: bytes, headers: Mapping[str, str]) -> PostResult:
        self.got[headers["Readdo-Event-Id"]] += 1
        return self.answers.pop(0) if self.answers else TAKEN


def item_of(stage: Stage) -> str:
    return str(stage.item()["id"])


def hook_of(stage: Stage) -> str:
    (found,) = (row for row in stage.rows() if row["sk"].startswith(keys.WEBHOOK_PREFIX))
    return str(found["id"])


def prepared(stage: Stage) -> None:
    """A webhook, and an item of two moves that nobody was told of."""
    assert stage.client("POST", "/webhooks", {"url": URL}).status == 201
    made = {"intent_text": "make our job queue safe", "content": "x" * 80, "process": False}
    item = stage.client("POST", "/capture", made).json["item"]["id"]
    stage.client("POST", f"/items/{item}/archive", {})


def stream(stage: Stage) -> None:
    """As AWS does it: what was not dealt with comes again."""
    for _ in range(STREAM_TRIES):
        try:
            if announced(stage.made, item_of(stage)) == {"batchItemFailures": []}:
                return
        except Exception:  # noqa: S112 - whatever it was
            continue
    raise AssertionError("the stream was not read")


def send_a_test(stage: Stage) -> None:
    stage.client("POST", f"/webhooks/{hook_of(stage)}/test", {}, "one")


SCENES: dict[str, tuple[Act, int, list[PostResult]]] = {
    "told": (stream, 2, []),
    "tried-again": (stream, 2, [BROKEN] * 3),
    "tested": (send_a_test, 1, [BROKEN]),
}


@pytest.fixture(scope="module")
def begun() -> Iterator[Beginnings]:
    with stage() as opened:
        found = beginnings(opened)
        opened.begin(found.empty, "extractive", 4096)
        prepared(opened)
        yield beginnings(opened)


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> Far:
    found = Far()
    monkeypatch.setattr(importlib.import_module("deliver"), "post", found.post)
    return found


def play(begun: Beginnings, far: Far, name: str, armed: tuple[tuple[Call, Fault], ...] = ()) -> list[str]:
    stage, (act, count, answers) = begun.stage, SCENES[name]
    stage.begin(begun.empty, "extractive", 4096)
    far.got.clear()
    far.answers = list(answers)
    stage.armed = armed
    act(stage)
    stage.calm()
    return [*stage.wrong, *wrong_with(stage, far, count), *([] if len(stage.struck) == len(armed) else ["not struck"])]


def wrong_with(stage: Stage, far: Far, count: int) -> Iterator[str]:
    rows = [row for row in stage.rows() if row["sk"].startswith(keys.DELIVERY_PREFIX)]
    if len(rows) != count:
        yield f"{len(rows)} deliveries, not {count}"
    for row in rows:
        if (row["status"], "due_at" in row) != ("DELIVERED", False):
            yield f"{row['event']} is {row['status']}, due at {row.get('due_at')}: {row['attempts']}"
        if not 1 <= len(row["attempts"]) <= TRIES:
            yield f"{row['event']} was tried {len(row['attempts'])} times"
    if set(far.got) != {row["id"] for row in rows}:
        yield f"arrived: {far.got}"
    (hook,) = (row for row in stage.rows() if row["sk"].startswith(keys.WEBHOOK_PREFIX))
    if (hook["status"], hook["misses"]) != ("ACTIVE", 0):
        yield f"the webhook is {hook['status']} after {hook['misses']} misses"


def recorded(begun: Beginnings, far: Far, name: str) -> list[Call]:
    stage = begun.stage
    calls: list[Call] = []
    act, count, answers = SCENES[name]
    stage.begin(begun.empty, "extractive", 4096)
    far.got.clear()
    far.answers = list(answers)
    stage.calls = calls
    act(stage)
    stage.calm()
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage, far, count)] == []
    return calls


def test_every_service_of_those_who_tell_and_send_is_struck(begun: Beginnings, far: Far) -> None:
    seen: dict[str, set[str]] = {}
    for call in (call for name in SCENES for call in recorded(begun, far, name)):
        seen.setdefault(call.room.split()[0], set()).add(call.service)
    allowed = {
        room: {action.split(":")[0] for action, _ in rights_of_functions()[room]} for room in ("announce", "deliver")
    }
    assert {room: seen[room] for room in allowed} == allowed
    assert all("lambda" in seen[room] for room in ("http_api", "heartbeat")), "who calls the sender"


def _struck_there(call: Call) -> bool:
    """The heartbeat's looks for what is due are the same whatever is: the matrix of items strikes them."""
    return (call.room, call.operation) == ("heartbeat", "Query")


def cells(begun: Beginnings, far: Far) -> Iterator[tuple[str, Call, Fault]]:
    """Every call × every fault; in short each call once, and of each kind of fault one form in turn."""
    struck: set[tuple[str, str, str, int]] = set()
    for name in SCENES:
        calls = [
            c for c in dict.fromkeys(recorded(begun, far, name)) if EVERY or not (_struck_there(c) or c.same in struck)
        ]
        struck |= {call.same for call in calls}
        for number, call in enumerate(calls):
            for kind in KINDS:
                forms = [fault for fault in STRIKES if fault.of == kind and fault.fits(call)]
                yield from (
                    (name, call, fault) for fault in (forms if EVERY else forms[number % max(1, len(forms)) :][:1])
                )


def test_after_any_single_fault_every_move_arrives_and_is_one_delivery(begun: Beginnings, far: Far) -> None:
    mine = list(cells(begun, far))
    assert len(mine) > 60
    assert {name for name, _, _ in mine} == set(SCENES)
    broken: dict[str, Any] = {}
    for name, call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(begun, far, name, ((call, fault),)):
            broken[f"{name}: {call}: {fault.name}"] = wrong
    assert broken == {}
