"""A pair of state machines for tests: a task and its run, moved in one transaction with a counter.

The counter is sharded. The pair tests the engine with a design like that of the Do desk.
"""

from typing import Any

from readdo.clock import digest
from readdo.lifecycle.advance import Change, Move, advance_all, create, move
from readdo.lifecycle.state_machine import NEW, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import Key, Table, Write, same

WORKER = "worker"
ACTORS = frozenset({USER, SYSTEM, WORKER})
SHARDS = 16

# fmt: off
TASK = Machine("task", (
    Row(NEW,     "todo",      USER,   "add"),
    Row("todo",  "doing",     WORKER, "claim"),
    Row("doing", "done",      WORKER, "finish",  "its run"),
    Row("doing", "blocked",   WORKER, "block",   "its run"),
    Row("blocked", "todo",    SYSTEM, "requeue"),
    Row("todo",  "cancelled", USER,   "cancel"),
), {"its run": Condition(same("run", "run"), "the run that holds the task")},
    final=frozenset({"done", "cancelled"}), actors=ACTORS)

RUN = Machine("run", (
    Row(NEW,       "running",   WORKER, "start"),
    Row("running", "succeeded", WORKER, "succeed"),
    Row("running", "failed",    WORKER, "fail"),
), final=frozenset({"succeeded", "failed"}), actors=ACTORS)
# fmt: on


def task_key(task: str) -> Key:
    return Key("O#me", f"K#{task}")


def run_key(run: str) -> Key:
    return Key("O#me", f"R#{run}")


def counter_key(entity: str) -> Key:
    return Key("O#me", f"C#{int(digest(entity), 16) % SHARDS}")


def count(entity: str, **changes: int) -> Write:
    """Count exactly: the entity selects the shard, which changes in the transaction of the move."""
    return Write(counter_key(entity), adds=changes)


def add(table: Table, task: str) -> None:
    advance_all(table, create(TASK, "add", task_key(task), {}, who="me", at="t0"), count(task, todo=1))


def claim(table: Table, task: str, run: str) -> None:
    advance_all(
        table,
        _move(TASK, "claim", task_key(task), run, sets={"run": run}),
        create(RUN, "start", run_key(run), {"task": task}, who="w", at="t1"),
        count(task, todo=-1, doing=1),
    )


def end(table: Table, task: str, run: str, *, succeeded: bool) -> None:
    task_trigger, run_trigger, state = ("finish", "succeed", "done") if succeeded else ("block", "fail", "blocked")
    advance_all(
        table,
        _move(TASK, task_trigger, task_key(task), run),
        _move(RUN, run_trigger, run_key(run), run),
        count(task, doing=-1, **{state: 1}),
    )


def count_in_state(table: Table, state: str) -> int:
    rows = (table.get(Key("O#me", f"C#{shard}")) for shard in range(SHARDS))
    return sum(row.get(state, 0) for row in rows if row)


def _move(machine: Machine, trigger: str, key: Key, run: str, sets: dict[str, Any] | None = None) -> Move:
    return move(machine, trigger, key, who="w", at="t1", change=Change(sets=sets or {}, params={"run": run}))
