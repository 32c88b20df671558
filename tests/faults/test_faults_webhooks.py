"""Each call of announce and deliver × each fault: every event arrives once and no work stays due."""

import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from contracts.template_rights import rights_of_functions
from faults.fault_calls import Call
from faults.fault_kinds import FAULTS, KINDS, Fault
from faults.fault_matrix import StartStates, prepare_start_states
from faults.fault_opened import stage
from faults.fault_stage import Stage
from readdo.integrations import integration_keys
from readdo.lifecycle.delivery import TRIES
from readdo.net.http_post import PostResult
from support.stream import announced
from support.tiers import FAULTS_SHARE, share

URL = "https://hooks.example.com/"
TAKEN, BROKEN = PostResult(204, "It answered 204."), PostResult(500, "It answered 500.")
# No lease protects a sender: "slow" tests its epoch, when another sender has tried meanwhile.
APPLICABLE_FAULTS = tuple(fault for fault in FAULTS if fault.name not in ("overtaken", "late"))
STREAM_TRIES = 4
EVERY = os.environ.get("READDO_FAULTS") == "all"
Act = Callable[[Stage], None]


class Far:
    """Webhook receiver: answers as configured and counts the events."""

    def __init__(self) -> None:
        self.got: Counter[str] = Counter()
        self.answers: list[PostResult] = []

    def post(self, _url: str, _body: bytes, headers: Mapping[str, str]) -> PostResult:
        self.got[headers["Readdo-Event-Id"]] += 1
        return self.answers.pop(0) if self.answers else TAKEN


def item_of(stage: Stage) -> str:
    return str(stage.item()["id"])


def hook_of(stage: Stage) -> str:
    (hook,) = (row for row in stage.rows() if row["sk"].startswith(integration_keys.WEBHOOK_PREFIX))
    return str(hook["id"])


def prepare(stage: Stage) -> None:
    """Create a webhook, and an item with two events that are not delivered."""
    assert stage.client("POST", "/webhooks", {"url": URL}).status == 201
    settings = {"intent_text": "make our job queue safe", "content": "x" * 80, "process": False}
    item = stage.client("POST", "/capture", settings).json["item"]["id"]
    stage.client("POST", f"/items/{item}/archive", {})


def stream(stage: Stage) -> None:
    """Deliver the stream as AWS does: a failed batch comes again."""
    for _ in range(STREAM_TRIES):
        try:
            if announced(stage.world, item_of(stage)) == {"batchItemFailures": []}:
                return
        except Exception:  # noqa: S112 - a failed batch comes again
            continue
    raise AssertionError("the stream was not read")


def send_a_test(stage: Stage) -> None:
    stage.client("POST", f"/webhooks/{hook_of(stage)}/test", {}, "one")


SCENARIOS: dict[str, tuple[Act, int, list[PostResult]]] = {
    "told": (stream, 2, []),
    "tried-again": (stream, 2, [BROKEN] * 3),
    "tested": (send_a_test, 1, [BROKEN]),
}


@pytest.fixture(scope="module")
def start_states() -> Iterator[StartStates]:
    with stage() as opened:
        snapshots = prepare_start_states(opened)
        opened.begin(snapshots.empty, "extractive", 4096)
        prepare(opened)
        yield prepare_start_states(opened)


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> Far:
    receiver = Far()
    monkeypatch.setattr(importlib.import_module("deliver"), "post", receiver.post)
    return receiver


def play(start_states: StartStates, far: Far, name: str, armed: tuple[tuple[Call, Fault], ...] = ()) -> list[str]:
    stage, (act, count, answers) = start_states.stage, SCENARIOS[name]
    stage.begin(start_states.empty, "extractive", 4096)
    far.got.clear()
    far.answers = list(answers)
    stage.armed = armed
    act(stage)
    stage.calm()
    return [
        *stage.wrong,
        *wrong_with(stage, far, count),
        *([] if len(stage.injected) == len(armed) else ["not injected"]),
    ]


def wrong_with(stage: Stage, far: Far, count: int) -> Iterator[str]:
    rows = [row for row in stage.rows() if row["sk"].startswith(integration_keys.DELIVERY_PREFIX)]
    if len(rows) != count:
        yield f"{len(rows)} deliveries, not {count}"
    for row in rows:
        if (row["status"], "due_at" in row) != ("DELIVERED", False):
            yield f"{row['event']} is {row['status']}, due at {row.get('due_at')}: {row['attempts']}"
        if not 1 <= len(row["attempts"]) <= TRIES:
            yield f"{row['event']} was tried {len(row['attempts'])} times"
    if set(far.got) != {row["id"] for row in rows}:
        yield f"arrived: {far.got}"
    (hook,) = (row for row in stage.rows() if row["sk"].startswith(integration_keys.WEBHOOK_PREFIX))
    if (hook["status"], hook["misses"]) != ("ACTIVE", 0):
        yield f"the webhook is {hook['status']} after {hook['misses']} misses"


def recorded(start_states: StartStates, far: Far, name: str) -> list[Call]:
    stage = start_states.stage
    calls: list[Call] = []
    act, count, answers = SCENARIOS[name]
    stage.begin(start_states.empty, "extractive", 4096)
    far.got.clear()
    far.answers = list(answers)
    stage.calls = calls
    act(stage)
    stage.calm()
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage, far, count)] == []
    return calls


def test_recorded_calls_cover_every_service_of_announce_and_deliver(start_states: StartStates, far: Far) -> None:
    called: dict[str, set[str]] = {}
    for call in (call for name in SCENARIOS for call in recorded(start_states, far, name)):
        called.setdefault(call.room.split()[0], set()).add(call.service)
    allowed = {
        room: {action.split(":")[0] for action, _ in rights_of_functions()[room]} for room in ("announce", "deliver")
    }
    allowed["announce"] -= {"sqs"}  # used by Lambda itself
    assert {room: called[room] for room in allowed} == allowed
    assert all("lambda" in called[room] for room in ("http_api", "heartbeat")), "who calls the sender"


def _covered_by_matrix(call: Call) -> bool:
    """Return whether the matrix of items covers this call: the heartbeat's queries for due work."""
    return (call.room, call.operation) == ("heartbeat", "Query")


def cells(start_states: StartStates, far: Far) -> Iterator[tuple[str, Call, Fault]]:
    """Yield every call × every fault.

    The short form takes each call once, with one form of each kind of fault in turn.
    """
    injected: set[tuple[str, str, str, int]] = set()
    for name in SCENARIOS:
        calls = [
            c
            for c in dict.fromkeys(recorded(start_states, far, name))
            if EVERY or not (_covered_by_matrix(c) or c.same in injected)
        ]
        injected |= {call.same for call in calls}
        for number, call in enumerate(calls):
            for kind in KINDS:
                forms = [fault for fault in APPLICABLE_FAULTS if fault.of == kind and fault.fits(call)]
                yield from (
                    (name, call, fault) for fault in (forms if EVERY else forms[number % max(1, len(forms)) :][:1])
                )


def test_single_fault_leaves_one_delivery_per_event(start_states: StartStates, far: Far) -> None:
    mine = list(cells(start_states, far))
    assert len(mine) > 60
    assert {name for name, _, _ in mine} == set(SCENARIOS)
    broken: dict[str, Any] = {}
    for name, call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(start_states, far, name, ((call, fault),)):
            broken[f"{name}: {call}: {fault.name}"] = wrong
    assert broken == {}
