"""Races of workers: each task is claimed once, and every claim gets an answer."""

from collections import Counter
from typing import Any

from races.race_round import ROUNDS, Arena, Round, accepted
from readdo import clock
from readdo.do import background, health, run_updates, task_claim, task_commands, task_rows
from readdo.do.task_requests import ClaimRequest, Outcome, TaskRequest
from readdo.do.task_rows import OPEN_TASKS
from readdo.lifecycle.write import Write
from readdo.store import keys
from readdo.store.commands import CommandContext

PAST = "2020-01-01T00:00:00.000Z"


def command_context(round_: Round, name: str, **request: Any) -> CommandContext:
    return CommandContext(round_.table, round_.owner, name, clock.now(), "", request)


def add_task(round_: Round, **more: Any) -> str:
    answer, _ = task_commands.add(command_context(round_, "add"), TaskRequest("runQA", **more))
    return str(answer["task"]["id"])


def claim_task(round_: Round, worker: str = "w") -> dict[str, Any] | None:
    return task_claim.claim(command_context(round_, "claim"), ClaimRequest(worker))


def start_run(round_: Round) -> str:
    claim = claim_task(round_)
    assert claim is not None
    run = str(claim["run"]["id"])
    run_updates.start(command_context(round_, "start"), run)
    return run


def counts_agree(round_: Round) -> None:
    assert OPEN_TASKS.recount(round_.table, round_.owner).drift == {}


def each_task_is_claimed_once(round_: Round) -> None:
    tasks = [add_task(round_, priority=f"P{n % 4}") for n in range(20)]
    (claims,) = round_.race((32, lambda: claim_task(round_)))
    claimed_ids = [each["task"]["id"] for each in accepted(claims) if each is not None]
    assert sorted(claimed_ids) == sorted(tasks)
    assert len(accepted(claims)) == 32
    assert health.states(round_.table, round_.owner)["doing"] == 20
    counts_agree(round_)


def a_run_ends_once(round_: Round) -> None:
    """The worker completes it twelve times, the owner cancels, and the heartbeat finds the lease expired."""
    task = add_task(round_)
    run = start_run(round_)
    key = task_rows.run_key(round_.owner, run)
    round_.table.write(Write(key, sets={"due_at": PAST, "due_shard": "1", "lease_expires_at": PAST}))
    row = round_.table.get(key)
    assert row is not None
    round_.race(
        (12, lambda: run_updates.complete(command_context(round_, "complete"), run, Outcome(0))),
        (10, lambda: task_commands.cancel(command_context(round_, "cancel"), task)),
        (10, lambda: background.attend_run(round_.table, row, clock.now())),
    )
    run_row, task_row = round_.table.get(key), round_.table.get(task_rows.task_key(round_.owner, task))
    assert run_row is not None and task_row is not None
    ends = {("succeeded", "done"), ("cancelled", "cancelled"), ("cancelled", "blocked")}
    assert (run_row["status"], task_row["status"]) in ends
    hours = round_.table.query_all(
        keys.partition(task_rows.counts_of(round_.owner)), keys.stretch(task_rows.HOURS_PREFIX)
    )
    counted: Counter[str] = Counter()
    for hour in hours:
        counted.update({state: hour[state] for state in ("succeeded", "cancelled") if state in hour})
    assert counted == {run_row["status"]: 1}
    counts_agree(round_)


def same_task_is_added_once(round_: Round) -> None:
    name = "7d8f3a52-6a1b-4c1e-9f0a-2b3c4d5e6f70"
    (answers,) = round_.race(
        (32, lambda: task_commands.add(command_context(round_, "add"), TaskRequest("runQA", id=name))[1])
    )
    assert sorted(accepted(answers)) == [False] * 31 + [True]
    counts_agree(round_)


# Each claim writes three rows, and moto copies the complete table for each.
FEWER = max(2, ROUNDS // 3)


def test_concurrent_claims(arena: Arena) -> None:
    arena.play(each_task_is_claimed_once, FEWER)


def test_concurrent_ends_of_a_run(arena: Arena) -> None:
    arena.play(a_run_ends_once, FEWER)


def test_concurrent_adds_of_one_task(arena: Arena) -> None:
    arena.play(same_task_is_added_once, FEWER)
