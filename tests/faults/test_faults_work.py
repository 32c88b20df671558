"""Each call that adds, claims and ends tasks × each fault: one task, sequential runs, correct counts.

A client without an answer retries with the same key. A client whose run was reported successful finds its task done.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from faults.fault_calls import Call
from faults.fault_kinds import FAULTS, KINDS, Fault
from faults.fault_matrix import StartStates, prepare_start_states
from faults.fault_opened import stage
from faults.fault_stage import Stage
from readdo import clock
from readdo.do import task_rows
from readdo.do.task_rows import OPEN_COUNTS
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import OPEN
from support.tiers import FAULTS_SHARE, share

EVERY = os.environ.get("READDO_FAULTS") == "all"
# A run's id is its fence; no lease of an execution is involved. A slow worker finds the state that the others left.
APPLICABLE_FAULTS = tuple(fault for fault in FAULTS if fault.name not in ("overtaken", "late"))
SOON = 7200  # a run's summary is stored by then; its expiry, weeks later, is not awaited
ROUNDS = 24
FILE = {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64}


def done(stage: Stage) -> None:
    """Add, claim and complete a task."""
    stage.client("POST", "/tasks", {"intent": "runQA"}, "add")
    run = claim_task(stage, "claim", intents=["runQA"])
    for verb, body in (("start", {}), ("heartbeat", {}), ("evidence", FILE), ("complete", {"exit_code": 0})):
        stage.client("POST", f"/runs/{run}/{verb}", body, verb)


def claim_task(stage: Stage, key: str, **body: Any) -> str:
    """Claim a task as a worker does: if no task is open now, retry later."""
    for again in range(4):
        answer = stage.client("POST", "/tasks/claim", {"worker": "w", **body}, f"{key}-{again}")
        if answer.status == 200:
            return str(answer.json["run"]["id"])
        rest(stage)
    raise AssertionError(f"nothing to do, again and again: {answer.status} {answer.text}")


def lost(stage: Stage) -> None:
    """Let a worker die with the task; claim it again; cancel it as its owner."""
    task = stage.client("POST", "/tasks", {"intent": "runQA"}, "add").json["task"]["id"]
    claim_task(stage, "claim", task=task)
    rest(stage)
    claim_task(stage, "claim-again", task=task)
    stage.client("POST", f"/tasks/{task}/cancel", {}, "cancel")


SCENARIOS = {"done": done, "lost": lost}


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
def start_states() -> Iterator[StartStates]:
    with stage() as opened:
        yield prepare_start_states(opened)


def play(start_states: StartStates, name: str, armed: tuple[tuple[Call, Fault], ...] = ()) -> list[str]:
    stage = start_states.stage
    stage.begin(start_states.empty, "extractive", 4096)
    stage.armed = armed
    SCENARIOS[name](stage)
    rest(stage)
    stage.armed = ()
    missed = [] if len(stage.injected) == len(armed) else ["the call was not made"]
    return [*stage.wrong, *wrong_with(stage), *missed]


def wrong_with(stage: Stage) -> Iterator[str]:
    rows = stage.rows()
    tasks = {row["id"]: row for row in rows if row["sk"].startswith(task_rows.TASK_PREFIX)}
    runs = [row for row in rows if row["sk"].startswith(task_rows.RUN_PREFIX)]
    if stage.done["bury"]:  # so slow was a worker that ended runs have expired
        yield from (f"a run is {run['status']}" for run in runs if run["status"] not in ENDED)
        return
    for task in tasks.values():
        mine = [run for run in runs if run["task_id"] == task["id"]]
        if len(mine) != task["attempts"] or any(run["status"] not in ENDED for run in mine):
            yield f"{task['attempts']} tries, and runs are {[run['status'] for run in mine]}"
        if (task["status"] == "done") != ("succeeded" in {run["status"] for run in mine}):
            yield f"a task is {task['status']}, and its runs are {[run['status'] for run in mine]}"
    yield from _check_answers(stage, tasks)
    yield from _check_counts(rows, list(tasks.values()), runs)


def _check_answers(stage: Stage, tasks: dict[str, Any]) -> Iterator[str]:
    for answer in stage.answers:
        task = (answer.json or {}).get("task", {})
        now = tasks.get(task.get("id"), task)  # a slow worker may outlive its task by weeks
        if task.get("status") in ("done", "cancelled") and now["status"] != task["status"]:
            yield f"told that it is {task['status']}, and it is {now['status']}"


def _check_counts(rows: list[dict[str, Any]], tasks: list[dict[str, Any]], runs: list[dict[str, Any]]) -> Iterator[str]:
    counted: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for row in rows:
        if row["sk"].startswith(task_rows.STATES_PREFIX):
            counted.update({state: row.get(name, 0) for state, name in OPEN_COUNTS.items()})
        if row["sk"].startswith(task_rows.HOURS_PREFIX):
            ended.update({state: row.get(state, 0) for state in ENDED})
    actual = Counter(task["status"] for task in tasks)
    if {state: counted[state] for state in OPEN} != {state: actual[state] for state in OPEN}:
        yield f"the counters say {dict(counted)}, and there are {dict(actual)}"
    if +ended != Counter(run["status"] for run in runs):
        yield f"the hours say {dict(+ended)}, and the runs are {[run['status'] for run in runs]}"


def recorded(start_states: StartStates, name: str) -> list[Call]:
    stage = start_states.stage
    stage.begin(start_states.empty, "extractive", 4096)
    calls: list[Call] = []
    stage.calls = calls
    SCENARIOS[name](stage)
    rest(stage)
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage)] == []
    return calls


def cells(start_states: StartStates) -> Iterator[tuple[str, Call, Fault]]:
    """Yield every call × every fault.

    The short form takes each call once with every other kind of fault, one form in turn.
    """
    injected: set[tuple[str, str, str, int]] = set()
    for name in SCENARIOS:
        calls = [call for call in dict.fromkeys(recorded(start_states, name)) if EVERY or call.same not in injected]
        calls = [call for call in calls if EVERY or (call.room, call.operation) != ("heartbeat", "Query")]
        injected |= {call.same for call in calls}
        for number, call in enumerate(calls):
            for kind in KINDS if EVERY else KINDS[number % 2 :: 2]:
                forms = [fault for fault in APPLICABLE_FAULTS if fault.of == kind and fault.fits(call)]
                selected = forms if EVERY else forms[number % max(1, len(forms)) :][:1]
                yield from ((name, call, fault) for fault in selected)


def test_single_fault_leaves_consistent_tasks_runs_and_counters(start_states: StartStates) -> None:
    mine = list(cells(start_states))
    assert len(mine) > 60
    assert {name for name, _, _ in mine} == set(SCENARIOS)
    broken = {}
    for name, call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(start_states, name, ((call, fault),)):
            broken[f"{name}: {call}: {fault.name}"] = wrong
    assert broken == {}
