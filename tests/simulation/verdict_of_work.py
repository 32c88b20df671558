"""Invariants of tasks and runs at the end: runs have ended and belong to one task, counters agree."""

from collections import Counter
from typing import Any

from readdo.do import task_rows
from readdo.do.task_rows import OPEN_COUNTS
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import DONE, OPEN
from simulation.stage import Violation
from simulation.users import OWNERS
from simulation.workers import rows_of

RESTS = {"inbox", "todo", "blocked", "done", "cancelled"}
TRIES = {"network": 3, "timeout": 1, "execution": 2}


def check_work(rows: dict[Any, dict[str, Any]]) -> None:
    for owner in OWNERS:
        tasks = {row["id"]: row for row in rows_of(rows, owner, "TASK#")}
        runs = rows_of(rows, owner, "RUN#")
        for task in tasks.values():
            _check_task(task, [run for run in runs if run["task_id"] == task["id"]])
        _check_counts(rows, owner, list(tasks.values()), runs)


def _check_task(task: dict[str, Any], runs: list[dict[str, Any]]) -> None:
    if task["status"] not in RESTS:
        raise Violation(f"6: the task {task['id']} is still {task['status']}")
    if any(run["status"] not in ENDED for run in runs):
        raise Violation(f"6: a run of the task {task['id']} has not ended")
    if len(runs) != task["attempts"] or {run["attempt"] for run in runs} != set(range(1, len(runs) + 1)):
        raise Violation(f"3: the task {task['id']} counts {task['attempts']} tries, and there are {len(runs)}")
    succeeded = [run for run in runs if run["status"] == "succeeded"]
    if len(succeeded) != (task["status"] == DONE):
        raise Violation(f"8: {task['id']} is {task['status']}, and {len(succeeded)} of its runs succeeded")
    for kind, count in task["tries"].items():
        if count > TRIES[kind]:
            raise Violation(f"5: {task['id']} was tried {count} times again by itself after {kind}")


def _check_counts(
    rows: dict[Any, dict[str, Any]], owner: str, tasks: list[dict[str, Any]], runs: list[dict[str, Any]]
) -> None:
    """9: the counters equal the rows."""
    counted: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for key, row in rows.items():
        if key.pk == task_rows.counts_of(owner) and key.sk.startswith(task_rows.STATES_PREFIX):
            counted.update({state: row.get(name, 0) for state, name in OPEN_COUNTS.items()})
        if key.pk == task_rows.counts_of(owner) and key.sk.startswith(task_rows.HOURS_PREFIX):
            ended.update({state: row.get(state, 0) for state in ENDED})
    actual = Counter(row["status"] for row in tasks)
    if {state: counted[state] for state in OPEN} != {state: actual[state] for state in OPEN}:
        raise Violation(f"9: the counters say {dict(counted)}, and there are {dict(actual)}")
    if +ended != Counter(run["status"] for run in runs):
        raise Violation(f"9: the hours say {dict(ended)}, and the runs are {Counter(run['status'] for run in runs)}")
