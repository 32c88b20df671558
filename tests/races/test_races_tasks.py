"""Races of workers: each task is taken once, whoever asks at the same time, and nobody goes away with nothing."""

from collections import Counter
from typing import Any

from race_round import ROUNDS, Arena, Round, granted

from readdo import clock
from readdo.do import due_tasks, health, run_updates, task_commands
from readdo.do.recount import recount
from readdo.do.task_requests import ClaimRequest, Outcome, TaskRequest
from readdo.do.transactions import CommandContext
from readdo.lifecycle.write import Write
from readdo.store import keys

PAST = "2020-01-01T00:00:00.000Z"


def asked(round_: Round, name: str, **of: Any) -> CommandContext:
    return CommandContext(round_.table, round_.owner, name, clock.now(), "", of)


def added(round_: Round, **more: Any) -> str:
    answer, _ = task_commands.add(asked(round_, "add"), TaskRequest("runQA", **more))
    return str(answer["task"]["id"])


def claimed(round_: Round, worker: str = "w") -> dict[str, Any] | None:
    return task_commands.claim(asked(round_, "claim"), ClaimRequest(worker))


def running(round_: Round) -> str:
    found = claimed(round_)
    assert found is not None
    run = str(found["run"]["id"])
    run_updates.start(asked(round_, "start"), run)
    return run


def counts_agree(round_: Round) -> None:
    assert recount(round_.table, round_.owner).drift == {}


def each_task_is_taken_once(round_: Round) -> None:
    tasks = [added(round_, priority=f"P{n % 4}") for n in range(20)]
    (found,) = round_.race((32, lambda: claimed(round_)))
    taken = [each["task"]["id"] for each in granted(found) if each is not None]
    assert sorted(taken) == sorted(tasks)
    assert len(granted(found)) == 32
    assert health.states(round_.table, round_.owner)["doing"] == 20
    counts_agree(round_)


def a_run_ends_once(round_: Round) -> None:
    """Its worker says so twice over, its owner cancels, and the heartbeat finds that it was not heard of."""
    task = added(round_)
    run = running(round_)
    key = keys.run(round_.owner, run)
    round_.table.write(Write(key, sets={"due_at": PAST, "due_shard": "1", "lease_expires_at": PAST}))
    row = round_.table.get(key)
    assert row is not None
    round_.race(
        (12, lambda: run_updates.complete(asked(round_, "complete"), run, Outcome(0))),
        (10, lambda: task_commands.cancel(asked(round_, "cancel"), task)),
        (10, lambda: due_tasks.run(round_.table, row, clock.now())),
    )
    ended, mine = round_.table.get(key), round_.table.get(keys.task(round_.owner, task))
    assert ended is not None and mine is not None
    ends = {("succeeded", "done"), ("cancelled", "cancelled"), ("cancelled", "blocked")}
    assert (ended["status"], mine["status"]) in ends
    hours = round_.table.query_all(keys.partition(keys.counts(round_.owner)), keys.stretch(keys.HOURS_PREFIX))
    told: Counter[str] = Counter()
    for hour in hours:
        told.update({state: hour[state] for state in ("succeeded", "cancelled") if state in hour})
    assert told == {ended["status"]: 1}
    counts_agree(round_)


def the_same_task_is_added_once(round_: Round) -> None:
    name = "7d8f3a52-6a1b-4c1e-9f0a-2b3c4d5e6f70"
    (found,) = round_.race((32, lambda: task_commands.add(asked(round_, "add"), TaskRequest("runQA", id=name))[1]))
    assert sorted(granted(found)) == [False] * 31 + [True]
    counts_agree(round_)


# Every claim is three rows of a table that moto copies whole for each.
FEWER = max(2, ROUNDS // 3)


def test_of_workers_at_once(arena: Arena) -> None:
    arena.play(each_task_is_taken_once, FEWER)


def test_of_ends_at_once(arena: Arena) -> None:
    arena.play(a_run_ends_once, FEWER)


def test_of_the_same_task_at_once(arena: Arena) -> None:
    arena.play(the_same_task_is_added_once, FEWER)
