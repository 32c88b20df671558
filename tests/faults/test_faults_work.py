"""Each call of those who add, take and end tasks × each fault: one task, its runs one after the other, counted rightly.

A client that gets no answer asks again with the same key. Who was told that its run succeeded finds its task done.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from fault_calls import Call
from fault_kinds import FAULTS, KINDS, Fault
from fault_matrix import Beginnings, beginnings
from fault_opened import stage
from fault_stage import Stage

from readdo import clock
from readdo.do.counters import OPEN_COUNTS
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import OPEN
from readdo.store import keys
from support.tiers import FAULTS_SHARE, share

EVERY = os.environ.get("READDO_FAULTS") == "all"
# A run's id is its fence, and no lease of an execution is in it: whoever is slow finds what the others have made of it.
STRIKES = tuple(fault for fault in FAULTS if fault.name not in ("overtaken", "late"))
SOON = 7200  # a run's summary is filed by then; that it goes, weeks later, is not waited for
ROUNDS = 24
FILE = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}


def done(stage: Stage) -> None:
    """Added, taken, and ended well."""
    stage.client("POST", "/tasks", {"intent": "runQA"}, "add")
    run = taken(stage, "claim", intents=["runQA"])
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", FILE), ("complete", {"exit_code": 0})):
        stage.client("POST", f"/runs/{run}/{verb}", body, verb)


def taken(stage: Stage, key: str, **body: Any) -> str:
    """As a worker does it: if there is nothing to do now, it comes again later."""
    for again in range(4):
        answer = stage.client("POST", "/tasks/claim", {"worker": "w", **body}, f"{key}-{again}")
        if answer.status == 200:
            return str(answer.json["run"]["id"])
        rest(stage)
    raise AssertionError(f"nothing to do, again and again: {answer.status} {answer.text}")


def lost(stage: Stage) -> None:
    """Taken by a worker that is not heard of, taken again, cancelled by its owner."""
    task = stage.client("POST", "/tasks", {"intent": "runQA"}, "add").json["task"]["id"]
    taken(stage, "claim", task=task)
    rest(stage)
    taken(stage, "claim-again", task=task)
    stage.client("POST", f"/tasks/{task}/cancel", {}, "cancel")


SCENES = {"done": done, "lost": lost}


def rest(stage: Stage) -> None:
    for _ in range(ROUNDS):
        latest = clock.after(clock.now(), SOON)
        times = [row["due_at"] for row in stage.rows() if row.get("due_at", latest) < latest]
        if not times:
            return
        stage.pass_to(min(times))
        stage.beat()
    stage.wrong.append("it never comes to rest")


@pytest.fixture(scope="module")
def begun() -> Iterator[Beginnings]:
    with stage() as found:
        yield beginnings(found)


def play(begun: Beginnings, name: str, armed: tuple[tuple[Call, Fault], ...] = ()) -> list[str]:
    stage = begun.stage
    stage.begin(begun.empty, "extractive", 4096)
    stage.armed = armed
    SCENES[name](stage)
    rest(stage)
    stage.armed = ()
    unstruck = [] if len(stage.struck) == len(armed) else ["the call was not made"]
    return [*stage.wrong, *wrong_with(stage), *unstruck]


def wrong_with(stage: Stage) -> Iterator[str]:
    rows = stage.rows()
    tasks = {row["id"]: row for row in rows if row["sk"].startswith(keys.TASK_PREFIX)}
    runs = [row for row in rows if row["sk"].startswith(keys.RUN_PREFIX)]
    if stage.done["bury"]:  # so slow was somebody that what ended is past its time
        yield from (f"a run is {run['status']}" for run in runs if run["status"] not in ENDED)
        return
    for task in tasks.values():
        mine = [run for run in runs if run["task_id"] == task["id"]]
        if len(mine) != task["attempts"] or any(run["status"] not in ENDED for run in mine):
            yield f"{task['attempts']} tries, and runs are {[run['status'] for run in mine]}"
        if (task["status"] == "done") != ("succeeded" in {run["status"] for run in mine}):
            yield f"a task is {task['status']}, and its runs are {[run['status'] for run in mine]}"
    yield from _told(stage, tasks)
    yield from _counted(rows, list(tasks.values()), runs)


def _told(stage: Stage, tasks: dict[str, Any]) -> Iterator[str]:
    for answer in stage.answers:
        told = (answer.json or {}).get("task", {})
        now = tasks.get(told.get("id"), told)  # a slow worker may outlive its task by weeks
        if told.get("status") in ("done", "cancelled") and now["status"] != told["status"]:
            yield f"told that it is {told['status']}, and it is {now['status']}"


def _counted(rows: list[dict[str, Any]], tasks: list[dict[str, Any]], runs: list[dict[str, Any]]) -> Iterator[str]:
    kept: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for row in rows:
        if row["sk"].startswith(keys.STATES_PREFIX):
            kept.update({state: row.get(name, 0) for state, name in OPEN_COUNTS.items()})
        if row["sk"].startswith(keys.HOURS_PREFIX):
            ended.update({state: row.get(state, 0) for state in ENDED})
    true = Counter(task["status"] for task in tasks)
    if {state: kept[state] for state in OPEN} != {state: true[state] for state in OPEN}:
        yield f"the counters say {dict(kept)}, and there are {dict(true)}"
    if +ended != Counter(run["status"] for run in runs):
        yield f"the hours say {dict(+ended)}, and the runs are {[run['status'] for run in runs]}"


def recorded(begun: Beginnings, name: str) -> list[Call]:
    stage = begun.stage
    stage.begin(begun.empty, "extractive", 4096)
    calls: list[Call] = []
    stage.calls = calls
    SCENES[name](stage)
    rest(stage)
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage)] == []
    return calls


def cells(begun: Beginnings) -> Iterator[tuple[str, Call, Fault]]:
    """Every call × every fault; in short each call once by every other kind of fault, and one form of it, in turn."""
    struck: set[tuple[str, str, str, int]] = set()
    for name in SCENES:
        calls = [call for call in dict.fromkeys(recorded(begun, name)) if EVERY or call.same not in struck]
        calls = [call for call in calls if EVERY or (call.room, call.operation) != ("heartbeat", "Query")]
        struck |= {call.same for call in calls}
        for number, call in enumerate(calls):
            for kind in KINDS if EVERY else KINDS[number % 2 :: 2]:
                forms = [fault for fault in STRIKES if fault.of == kind and fault.fits(call)]
                chosen = forms if EVERY else forms[number % max(1, len(forms)) :][:1]
                yield from ((name, call, fault) for fault in chosen)


def test_after_any_single_fault_tasks_runs_and_counters_agree(begun: Beginnings) -> None:
    mine = list(cells(begun))
    assert len(mine) > 60
    assert {name for name, _, _ in mine} == set(SCENES)
    broken = {}
    for name, call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(begun, name, ((call, fault),)):
            broken[f"{name}: {call}: {fault.name}"] = wrong
    assert broken == {}
