"""The conditions of each move, written by hand, independently of the product's tables.

Each entry has a row and parameters with which the move succeeds, and variants with one difference with which it is
refused.
"""

from dataclasses import dataclass, field
from typing import Any

from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.collect_batch import BATCH
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.proof_chunk import CHUNK
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import Machine
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK

GONE = object()
BEFORE, SEEN, NOW, AFTER = (f"2026-11-18T10:0{n}:00.000Z" for n in range(4))
Ways = dict[
    str, tuple[dict[str, Any], dict[str, Any]]
]  # name of the variant → (changes of the row, changes of the parameters)


@dataclass(frozen=True)
class Promise:
    machine: Machine
    trigger: str
    states: tuple[str, ...]
    row: dict[str, Any]
    params: dict[str, Any]
    wrong: Ways = field(default_factory=dict)


_RUN = {"run_id": "run-2", "lease_epoch": 2}
_FENCE = {"run": "run-2", "epoch": 2}
_NOT_THE_RUN: Ways = {
    "another run": ({"run_id": "run-3"}, {}),
    "a later epoch": ({"lease_epoch": 3}, {}),
    "no lease": ({"lease_epoch": 0}, {}),
}
_NOT_DUE: Ways = {
    "another due time": ({"due_at": BEFORE}, {}),
    "no due time": ({"due_at": GONE}, {}),
    "not yet due": ({"due_at": AFTER}, {"due_seen": AFTER}),
}
_DUE = {"due_at": SEEN}
_SWEEP = {"due_seen": SEEN, "now": NOW}
_LEASE = {"due_at": SEEN, "lease_expires_at": SEEN, "lease_epoch": 2}
_NOT_OVER: Ways = {
    "a renewed lease": ({"lease_expires_at": AFTER}, {}),
    "another lease": ({"lease_epoch": 3}, {}),
    "another due time": ({"due_at": BEFORE}, {}),
}
_MADE = {"made": {"summary": 3, "score": 4, "todos": 5, "card": 6}, **_RUN}
_CHECKED = {"summary": 3, "score": 4, "todos": 5, "card": 6, **_FENCE}
_NOT_AS_CHECKED: Ways = {
    f"another {kind}": ({"made": {**_MADE["made"], kind: 9}}, {})  # type: ignore[dict-item]
    for kind in ("summary", "score", "todos", "card")
}
_ANOTHER_SET: Ways = {"another set": ({"served_run_id": "run-3"}, {}), "no set": ({"served_run_id": GONE}, {})}
_NO_SET: Ways = {"no set": ({"served_run_id": GONE}, {})}
_TOUCHED: Ways = {"touched since": ({"version": 8}, {})}
_OVER = "FAILED_EXTRACTION", "FAILED_AI"
_SHOWN = "READY", "FAILED_EXPORT", "SHIPPED"


def _item(trigger: str, states: str | tuple[str, ...], row: dict[str, Any], params: dict[str, Any], wrong: Ways) -> Any:
    return Promise(ITEM, trigger, (states,) if isinstance(states, str) else states, row, params, wrong)


_ITEM = [
    _item("attach_text", ("CAPTURED", "QUEUED", "PROCESSING", "FAILED_EXTRACTION"), {}, {}, {
        "a text already": ({"content_ref": "there"}, {}),
    }),
    _item("unedit", ("READY", "SHIPPED"), {"edited": {"card": 2}}, {}, {"nothing edited": ({"edited": GONE}, {})}),
    _item("auto_retry", _OVER, _DUE, _SWEEP, _NOT_DUE),
    _item("start_again", "QUEUED", _DUE, _SWEEP, _NOT_DUE),
    _item("look_later", "PROCESSING", _DUE, _SWEEP, _NOT_DUE),
    _item("lease", "QUEUED", {"run_id": "run-2"}, {"run": "run-2"}, {"another run": ({"run_id": "run-3"}, {})}),
    _item("reclaim", "PROCESSING", {**_LEASE, "reclaims": 1}, {**_SWEEP, "epoch": 2}, {
        **_NOT_OVER, "reclaimed twice": ({"reclaims": 2}, {}),
    }),
    *(_item(give_up, "PROCESSING", {**_LEASE, "reclaims": 2}, {**_SWEEP, "epoch": 2}, {
        **_NOT_OVER, "reclaimed once": ({"reclaims": 1}, {}),
    }) for give_up in ("give_up_extraction", "give_up_ai")),
    *(_item(ends, "PROCESSING", _RUN, _FENCE, _NOT_THE_RUN) for ends in ("make", "fail_extraction", "fail_ai")),
    _item("publish", "PROCESSING", _MADE, _CHECKED, {**_NOT_THE_RUN, **_NOT_AS_CHECKED}),
    _item("keep", _OVER, {"served_run_id": "run-1"}, {}, _NO_SET),
    _item("unarchive", "ARCHIVED", {"served_run_id": "run-1"}, {}, _NO_SET),
    *(_item(trigger, states, {"served_run_id": "run-1"}, {"served": "run-1"}, _ANOTHER_SET) for trigger, states in {
        "export": _SHOWN, "export_retry": _SHOWN[1:], "export_done": _SHOWN,
        "export_failed": _SHOWN[:2], "export_again_failed": _SHOWN[2:],
    }.items()),
    _item("skip", "READY", {"version": 7, "priority": "SKIP"}, {"seen_version": 7}, {
        **_TOUCHED, "worth it after all": ({"priority": "WORTH_IT"}, {}),
    }),
]  # fmt: skip

_START = {"epoch": 2, "due_at": SEEN}
_STARTED = {"epoch": 2, **_SWEEP}
_NOT_THE_START: Ways = {"a later start": ({"epoch": 3}, {})}
_EXPORT = [
    Promise(EXPORT, "start_again", ("RUNNING",), {**_START, "restarts": 1}, _STARTED, {
        **_NOT_THE_START, **_NOT_DUE, "started again twice": ({"restarts": 2}, {}),
    }),
    Promise(EXPORT, "give_up", ("RUNNING",), {**_START, "restarts": 2}, _STARTED, {
        **_NOT_THE_START, **_NOT_DUE, "started again once": ({"restarts": 1}, {}),
    }),
    *(Promise(EXPORT, ends, ("RUNNING",), {"epoch": 2}, {"epoch": 2}, _NOT_THE_START)
      for ends in ("make", "finish", "fail")),
    *(Promise(EXPORT, trigger, ("FAILED",), _START, _STARTED, {**_NOT_THE_START, **_NOT_DUE})
      for trigger in ("auto_retry", "let_be")),
]  # fmt: skip


def _sliced(machine: Machine) -> list[Promise]:
    return [
    Promise(machine, "start_again", ("RUNNING",), {**_START, "restarts": 2}, _STARTED, {
        **_NOT_THE_START, **_NOT_DUE, "started again three times": ({"restarts": 3}, {}),
    }),
    Promise(machine, "give_up", ("RUNNING",), {**_START, "restarts": 3}, _STARTED, {
        **_NOT_THE_START, **_NOT_DUE, "started again twice": ({"restarts": 2}, {}),
    }),
    Promise(machine, "go_on", ("PAUSED",), _START, _STARTED, {**_NOT_THE_START, **_NOT_DUE}),
    *(Promise(machine, ends, ("RUNNING",), {"epoch": 2}, {"epoch": 2}, _NOT_THE_START)
      for ends in ("note", "pause", "finish", "fail")),
]  # fmt: skip


_IMPORT = [
    *(Promise(IMPORT, again, (state,), {**_START, "restarts": 2}, _STARTED, {
        **_NOT_THE_START, **_NOT_DUE, "started again three times": ({"restarts": 3}, {}),
    }) for again, state in (("read_again", "READING"), ("go_on", "RUNNING"))),
    Promise(IMPORT, "give_up", ("READING", "RUNNING"), {**_START, "restarts": 3}, _STARTED, {
        **_NOT_THE_START, **_NOT_DUE, "started again twice": ({"restarts": 2}, {}),
    }),
    Promise(IMPORT, "let_go", ("WAITING",), _START, _STARTED, {**_NOT_THE_START, **_NOT_DUE}),
    *(Promise(IMPORT, trigger, states, {"epoch": 2}, {"epoch": 2}, _NOT_THE_START)
      for trigger, states in (("stumble", ("READING", "RUNNING")), ("refuse", ("READING",)), ("run", ("READING",)),
                           ("note", ("RUNNING",)), ("finish", ("RUNNING",)))),
    Promise(IMPORT, "resume", ("FAILED",), {"pages": 3}, {}, {"not read": ({"pages": GONE}, {})}),
    Promise(IMPORT, "start", ("FAILED",), {}, {}, {"read": ({"pages": 3}, {}), "at fault": ({"refused": True}, {})}),
]  # fmt: skip

_BACKUP = [*_sliced(BACKUP), *_sliced(RESTORE)]

_LOOKED = {"version": 7}, {"seen_version": 7}
_PAUSE = {"version": 7, "again_at": SEEN}, {"seen_version": 7, "now": NOW}
_PAUSED: Ways = {**_TOUCHED, "still left alone": ({"again_at": AFTER}, {})}
_NOT_THE_PROBE: Ways = {"another's probe": ({"probe": "b"}, {}), "no probe": ({"probe": GONE}, {})}
_PROVIDER = [
    Promise(PROVIDER, "fail", ("WELL",), *_LOOKED, _TOUCHED),
    Promise(PROVIDER, "trip", ("WELL",), *_LOOKED, _TOUCHED),
    Promise(PROVIDER, "probe", ("DOWN",), *_PAUSE, _PAUSED),
    Promise(PROVIDER, "probe_again", ("PROBED",), *_PAUSE, _PAUSED),
    Promise(PROVIDER, "recover", ("PROBED",), {"probe": "a"}, {"probe": "a"}, _NOT_THE_PROBE),
    Promise(PROVIDER, "fail_probe", ("PROBED",), {"probe": "a"}, {"probe": "a"}, _NOT_THE_PROBE),
]

_WEBHOOK = [
    Promise(WEBHOOK, "arrive", ("ACTIVE",), {"misses": 1}, {}, {"no miss": ({"misses": 0}, {})}),
    *(
        Promise(
            WEBHOOK,
            trigger,
            ("ACTIVE",),
            {"misses": so_many, "url": "a"},
            {"sent_to": "a"},
            {
                name: ({"misses": others}, {}),
                "another": ({"url": "b"}, {}),
            },
        )
        for trigger, so_many, name, others in (("miss", 8, "the tenth", 9), ("disable", 9, "not the tenth", 8))
    ),
    Promise(WEBHOOK, "dismiss", ("ACTIVE",), {"url": "a"}, {"sent_to": "a"}, {"another": ({"url": "b"}, {})}),
]
_NOT_THE_TRY: Ways = {"a later try": ({"epoch": 3}, {})}
_DELIVERY = [
    Promise(DELIVERY, "try_again", ("WAITING",), {**_START, "tries": 6}, _STARTED, {
        **_NOT_THE_TRY, **_NOT_DUE, "tried seven times": ({"tries": 7}, {}),
    }),
    Promise(DELIVERY, "give_up", ("WAITING",), {**_START, "tries": 7}, _STARTED, {
        **_NOT_THE_TRY, **_NOT_DUE, "tried six times": ({"tries": 6}, {}),
    }),
    Promise(DELIVERY, "postpone", ("WAITING",), {"epoch": 2, "tries": 6}, {"epoch": 2}, {
        **_NOT_THE_TRY, "tried seven times": ({"tries": 7}, {}),
    }),
    *(Promise(DELIVERY, ends, ("WAITING",), {"epoch": 2}, {"epoch": 2}, _NOT_THE_TRY) for ends in ("arrive", "fail")),
]  # fmt: skip

_ITS_RUN: Ways = {"another run": ({"run_id": "run-3"}, {}), "no run": ({"run_id": GONE}, {})}
_DOING = {"run_id": "run-2"}, {"run": "run-2"}
_TASK = [
    *(Promise(TASK, ends, ("doing",), *_DOING, _ITS_RUN)
      for ends in ("finish", "fail", "hand_back", "lapse", "overrun", "stop", "cancel_doing")),
    *(Promise(TASK, looks, ("blocked",), _DUE, _SWEEP, _NOT_DUE) for looks in ("lift", "look_later", "stop_waiting")),
    Promise(TASK, "claim", ("blocked",), _DUE, {"now": NOW}, {
        "not yet": ({"due_at": AFTER}, {}), "until its owner says so": ({"due_at": GONE}, {}),
    }),
]  # fmt: skip

_LIVES = {"due_at": SEEN, "lease_expires_at": SEEN, "times_out_at": SEEN}
_RUNS = [
    Promise(RUN, "file", ("succeeded", "failed", "timeout", "cancelled"), _DUE, _SWEEP, _NOT_DUE),
    Promise(RUN, "look_later", ("queued", "running"), _DUE, _SWEEP, _NOT_DUE),
    Promise(RUN, "lapse", ("queued", "running"), _LIVES, _SWEEP, {
        **_NOT_DUE, "a renewed lease": ({"lease_expires_at": AFTER}, {}),
    }),
    Promise(RUN, "overrun", ("running",), _LIVES, _SWEEP, {
        **_NOT_DUE, "time left": ({"times_out_at": AFTER}, {}),
    }),
    Promise(RUN, "attach", ("queued", "running"), {"evidence": 49}, {}, {"enough": ({"evidence": 50}, {})}),
]  # fmt: skip

_TURN, _AT_TURN = {"epoch": 2, "news": 5}, {"epoch": 2, "news_seen": 5}
_NOT_THE_TURN: Ways = {"a later turn": ({"epoch": 3}, {})}
_MIRROR = [
    Promise(MIRROR, "wake", ("RESTING",), {}, {}, {"in trouble": ({"trouble": {"code": "SILENT"}}, {})}),
    Promise(MIRROR, "sync", ("RESTING",), _START, _STARTED, {**_NOT_THE_TURN, **_NOT_DUE}),
    Promise(MIRROR, "start_again", ("SYNCING",), _START, _STARTED, {**_NOT_THE_TURN, **_NOT_DUE}),
    Promise(MIRROR, "switch_off", ("RESTING", "SYNCING"), _START, _STARTED, {**_NOT_THE_TURN, **_NOT_DUE}),
    *(Promise(MIRROR, does, ("SYNCING",), {"epoch": 2}, {"epoch": 2}, _NOT_THE_TURN)
      for does in ("note", "pause", "postpone")),
    Promise(MIRROR, "take", ("SYNCING",), {"epoch": 2, "taken": 1}, {"epoch": 2}, {
        **_NOT_THE_TURN, "the same turn twice": ({"taken": 2}, {}),
    }),
    Promise(MIRROR, "finish", ("SYNCING",), _TURN, _AT_TURN, {**_NOT_THE_TURN, "news": ({"news": 6}, {})}),
]  # fmt: skip

_SLICE = {"epoch": 2}, {"epoch": 2}
_NOT_THE_SLICE: Ways = {"a later epoch": ({"epoch": 3}, {})}
_NOT_LOST: Ways = {**_NOT_THE_SLICE, **_NOT_DUE}
_EXECUTION = {"execution": 4}, {"execution_seen": 4}
_OTHER_EXECUTION: Ways = {"a later execution": ({"execution": 5}, {})}
_JOB = [
    Promise(JOB, "validate", ("paused/process",), {}, {}, {"a chunk has ended": ({"touched": True}, {})}),
    *(Promise(JOB, does, (state,), *_SLICE, _NOT_THE_SLICE) for does, state in (
        ("finish_validation", "running/validate"), ("fail_validation", "running/validate"),
        *((ends, "running/process") for ends in ("interrupt", "wait_for_function", "end_with_errors")),
        ("finish_processing", "running/process"), ("finish_merge", "running/merge"), ("fail_merge", "running/merge"),
    )),
    Promise(JOB, "note", ("running/validate", "running/process", "paused/process", "running/merge"), *_SLICE,
            _NOT_THE_SLICE),
    *(Promise(JOB, does, (state,), *_EXECUTION, _OTHER_EXECUTION) for does, state in (
        ("begin", "queued/process"), ("find_no_place", "queued/process"), ("begin_slice", "running/process"),
    )),
    *(Promise(JOB, does, (state,), _START, _STARTED, _NOT_LOST) for does, state in (
        ("lose_validation", "running/validate"), ("begin_waiting", "queued/process"),
        ("wait_longer", "queued/process"), ("lose_start", "queued/process"), ("lose_processing", "running/process"),
        ("lose_drain", "paused/process"), ("lose_merge", "running/merge"), ("keep_text", "queued/validate"),
    )),
    Promise(JOB, "expire", ("queued/validate",), _START, _STARTED, _NOT_LOST),
]  # fmt: skip
_CHUNK = [
    *(Promise(CHUNK, ends, ("processing", "retrying"), *_SLICE, _NOT_THE_SLICE) for ends in ("finish", "fail")),
    Promise(CHUNK, "wait", ("processing",), *_SLICE, _NOT_THE_SLICE),
    Promise(CHUNK, "try_again", ("retrying",), *_SLICE, _NOT_THE_SLICE),
    Promise(CHUNK, "reclaim", ("processing", "retrying"), {"epoch": 2}, {"epoch": 3}, {
        "this slice has it": ({"epoch": 3}, {}), "a later slice has it": ({"epoch": 4}, {}),
    }),
    Promise(CHUNK, "retry", ("error",), {"epoch": 2}, {"retried_at_epoch": 3}, {
        "it failed after the retry": ({"epoch": 3}, {}),
    }),
]  # fmt: skip
_PICKED = {"batch_name": "batch_2"}
_ITS_BATCH = {"batch": "batch_2"}
_NOT_ITS_BATCH: Ways = {"another batch": ({"batch_name": "batch_3"}, {}), "no batch": ({"batch_name": GONE}, {})}
_PASSED = {"batch": "batch_2", "output": "a1", "outcome": "passed"}
_ASSIGNMENT = [
    *(Promise(ASSIGNMENT, does, ("in_progress",), _PICKED, _ITS_BATCH, _NOT_ITS_BATCH)
      for does in ("verify", "finish_in_part", "hand_back", "put_back", "fail", "skip_in_batch")),
    Promise(ASSIGNMENT, "finish", ("in_progress",), {**_PICKED, "verified": _PASSED}, {**_ITS_BATCH, "output": "a1"}, {
        **_NOT_ITS_BATCH,
        "not verified": ({"verified": GONE}, {}),
        "verified in another batch": ({"verified": {**_PASSED, "batch": "batch_1"}}, {}),
        "another output was verified": ({"verified": {**_PASSED, "output": "b2"}}, {}),
        "the verification has not passed": ({"verified": {**_PASSED, "outcome": "not_passed"}}, {}),
    }),
    Promise(ASSIGNMENT, "continue_at_pick", ("partial",), {"continued": 2}, {}, {
        "continued three times": ({"continued": 3}, {}),
    }),
]  # fmt: skip
_OF_BATCH = {"lose_pick": "picking", "start_again": "open", "time_out": "open", "go_on": "applying"}
_BATCH = [Promise(BATCH, does, (state,), _DUE, _SWEEP, _NOT_DUE) for does, state in _OF_BATCH.items()]

PROMISES = [
    *(*_MIRROR, *_TASK, *_RUNS, *_ITEM, *_EXPORT, *_IMPORT, *_BACKUP, *_PROVIDER, *_WEBHOOK, *_DELIVERY),
    *(*_JOB, *_CHUNK, *_ASSIGNMENT, *_BATCH),
]
