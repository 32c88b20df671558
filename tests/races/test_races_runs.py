"""Races of runs: one lease per epoch, one run per request, and no writes after a lost lease."""

from collections.abc import Callable
from typing import Any

import pytest

from races.race_items import (
    PAST,
    capture_item,
    item_at_the_gate,
    lease_item,
    queue_item,
    rewrite,
    run_command,
    step,
)
from races.race_round import THREADS, Arena, Round, accepted, is_complete, moves, numbers, refused
from readdo import clock
from readdo.errors import LeaseLost, RunIncomplete
from readdo.heartbeat import sweep
from readdo.lifecycle.advance import Forbidden
from readdo.read import item_commands, run_steps, step_failures
from support.sample_run import published

BROKEN = {"Error": "KeyError", "Cause": "{}"}


def take_lease(round_: Round, fence: run_steps.RunFence, execution: str) -> run_steps.RunFence:
    return run_steps.lease(round_.table, fence, execution, clock.now())


def archive(round_: Round, item_id: str) -> dict[str, Any]:
    return run_command(round_, item_id, "archive", item_commands.archive(None))


def process(round_: Round, item_id: str, key: str = "") -> dict[str, Any]:
    return run_command(round_, item_id, "process", item_commands.requeue("process"), key=key)


def record_failure(round_: Round, fence: run_steps.RunFence) -> str:
    return step_failures.record(round_.table, fence, BROKEN, clock.now()).code


def beat(round_: Round) -> dict[str, int]:
    return sweep.sweep(round_.table, lambda: True)


def lease_goes_to_one_execution(round_: Round) -> None:
    """Eight executions, each delivered four times; every other one belongs to an archived run."""
    old = queue_item(round_)
    archive(round_, old.item)
    new_run_id = run_command(round_, old.item, "unarchive", item_commands.unarchive_anew)["item"]["run_id"]
    runs = (run_steps.RunFence(old.owner, old.item, new_run_id), old)
    sides = round_.race(*((4, lambda n=n: take_lease(round_, runs[n % 2], f"execution-{n}")) for n in range(8)))
    (winner,) = [n for n, side in enumerate(sides) if accepted(side)]
    assert (winner % 2, len(accepted(sides[winner])), {one.epoch for one in accepted(sides[winner])}) == (0, 4, {1})
    assert sum(len(refused(side, LeaseLost)) for side in sides) == THREADS - 4
    row = round_.row(old.item)
    assert (row["lease_epoch"], row["lease_owner"], row["run_id"]) == (1, f"execution-{winner}", new_run_id)
    assert moves(round_, row) == ["capture", "process", "archive", "unarchive_anew", "lease"]


def process_key_starts_one_run(round_: Round) -> None:
    item_id = capture_item(round_)["id"]
    first, second, without = round_.race(
        (12, lambda: process(round_, item_id, "one")),
        (12, lambda: process(round_, item_id, "two")),
        (8, lambda: process(round_, item_id)),
    )
    row = round_.row(item_id)
    assert {one["item"]["run_id"] for side in (first, second, without) for one in accepted(side)} == {row["run_id"]}
    assert sorted(len(accepted(side)) for side in (first, second, without)) in ([0, 0, 12], [0, 0, 1])
    assert moves(round_, row) == ["capture", "process"]


def archive_against_process_and_lease(round_: Round) -> None:
    item_id = capture_item(round_)["id"]

    def leases() -> run_steps.RunFence:
        row = round_.row(item_id)
        return take_lease(round_, run_steps.RunFence(round_.owner, item_id, row.get("run_id", "")), "execution")

    archives, requests, lease_results = round_.race(
        (10, lambda: archive(round_, item_id)),
        (10, lambda: process(round_, item_id)),
        (12, leases),
    )
    row = round_.row(item_id)
    path = moves(round_, row)
    assert path.count("process") == len(accepted(requests)) <= 1
    assert path.count("archive") == len(accepted(archives)) <= 1
    assert bool(accepted(lease_results)) == ("lease" in path)
    assert row["status"] == ("PROCESSING" if accepted(lease_results) else "ARCHIVED")


def worker_with_a_reclaimed_lease_writes_nothing(round_: Round) -> None:
    holder = lease_item(round_)
    step(round_, holder, "extraction")
    rewrite(round_, holder.item, lease_expires_at=PAST, due_at=PAST)
    late_writes = [
        lambda: step(round_, holder, "summary"),
        lambda: record_failure(round_, holder),
        lambda: published(round_.table, holder),
    ]
    beats, *results = round_.race((8, lambda: beat(round_)), *((8, late_write) for late_write in late_writes))
    row = round_.row(holder.item)
    path = moves(round_, row)
    assert sum(each.get("reclaim", 0) for each in beats) == path.count("reclaim")
    assert len(accepted(results[1])) == path.count("fail_ai") <= 1
    assert path.count("reclaim") + path.count("fail_ai") <= 1
    assert not accepted(results[2])
    numbers(round_, row)
    if "reclaim" in path:
        assert (row["made"], row["reclaims"], "failure" in row) == ({}, 1, False)
    if path[-1] in ("reclaim", "fail_ai"):
        before = row, round_.inside(holder.item)
        for late_write in late_writes:
            with pytest.raises((LeaseLost, RunIncomplete)):
                late_write()
        assert (round_.row(holder.item), round_.inside(holder.item)) == before


def old_epoch_writes_nothing(round_: Round) -> None:
    """The item is reclaimed, and the next run works while the old worker does not know it yet."""
    old = lease_item(round_)
    rewrite(round_, old.item, lease_expires_at=PAST, due_at=PAST)
    assert beat(round_) == {"reclaim": 1}
    new = take_lease(round_, run_steps.RunFence(round_.owner, old.item, round_.row(old.item)["run_id"]), "second")
    late_steps, steps, failed = round_.race(
        (12, lambda: step(round_, old, "extraction")),
        (12, lambda: step(round_, new, "extraction")),
        (8, lambda: record_failure(round_, old)),
    )
    row = round_.row(old.item)
    assert len(refused(late_steps + failed, LeaseLost)) == 20
    assert len(accepted(steps)) == 12
    assert (row["status"], row["lease_epoch"], row["made"]) == ("PROCESSING", new.epoch, {"extraction": 1})
    run_ids = [row_inside["meta"]["run_id"] for row_inside in round_.inside(old.item) if "meta" in row_inside]
    assert run_ids == [new.run]
    moves(round_, row)


def run_is_either_published_or_failed(round_: Round) -> None:
    holder = item_at_the_gate(round_)
    gates, failed, archives = round_.race(
        (12, lambda: published(round_.table, holder)),
        (12, lambda: record_failure(round_, holder)),
        (8, lambda: archive(round_, holder.item)),
    )
    row = round_.row(holder.item)
    path = moves(round_, row)
    assert path.count("publish") + path.count("fail_ai") == 1
    assert len(accepted(failed)) == path.count("fail_ai")
    assert bool(accepted(gates)) == ("publish" in path)
    assert len(accepted(archives)) == len([move for move in path if move.startswith("archive")]) <= 1
    assert len(refused(archives, Forbidden)) == 8 - len(accepted(archives))
    numbers(round_, row)
    if "publish" in path:
        assert row["served_run_id"] == holder.run
        assert is_complete(round_, row)
    assert "lease_owner" not in row


SCENARIOS = (
    lease_goes_to_one_execution,
    process_key_starts_one_run,
    archive_against_process_and_lease,
    worker_with_a_reclaimed_lease_writes_nothing,
    old_epoch_writes_nothing,
    run_is_either_published_or_failed,
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_concurrent_runs(arena: Arena, scenario: Callable[[Round], None]) -> None:
    arena.play(scenario)
