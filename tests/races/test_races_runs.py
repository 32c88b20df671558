"""Races of runs: one lease an epoch, one run a wish, and a worker whose lease was taken writes nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from race_items import (
    PAST,
    at_the_gate,
    captured,
    done,
    leased,
    queued,
    rewrite,
    step,
)
from race_round import THREADS, Arena, Round, granted, is_whole, moves, numbers, told

from readdo import clock
from readdo.errors import LeaseLost, RunIncomplete
from readdo.lifecycle.advance import Forbidden
from readdo.read import item_commands, run, step_failures, sweep
from support.sample_run import published

BROKEN = {"Error": "KeyError", "Cause": "{}"}


def take(round_: Round, given: run.RunFence, execution: str) -> run.RunFence:
    return run.lease(round_.table, given, execution, clock.now())


def archive(round_: Round, item_id: str) -> dict[str, Any]:
    return done(round_, item_id, "archive", item_commands.archive(None))


def process(round_: Round, item_id: str, key: str = "") -> dict[str, Any]:
    return done(round_, item_id, "process", item_commands.requeue("process"), key=key)


def fails(round_: Round, given: run.RunFence) -> str:
    return step_failures.record(round_.table, given, BROKEN, clock.now()).code


def beat(round_: Round) -> dict[str, int]:
    return sweep.sweep(round_.table, lambda: True)


def one_execution_gets_the_lease(round_: Round) -> None:
    """Eight executions, each of which is delivered four times; every other one is of a run that was put away."""
    old = queued(round_)
    archive(round_, old.item)
    anew = done(round_, old.item, "unarchive", item_commands.unarchive_anew)["item"]["run_id"]
    runs = (run.RunFence(old.owner, old.item, anew), old)
    sides = round_.race(*((4, lambda n=n: take(round_, runs[n % 2], f"execution-{n}")) for n in range(8)))
    (winner,) = [n for n, side in enumerate(sides) if granted(side)]
    assert (winner % 2, len(granted(sides[winner])), {one.epoch for one in granted(sides[winner])}) == (0, 4, {1})
    assert sum(len(told(side, LeaseLost)) for side in sides) == THREADS - 4
    row = round_.row(old.item)
    assert (row["lease_epoch"], row["lease_owner"], row["run_id"]) == (1, f"execution-{winner}", anew)
    assert moves(round_, row) == ["capture", "process", "archive", "unarchive_anew", "lease"]


def one_process_request_id_is_one_run(round_: Round) -> None:
    item_id = captured(round_)["id"]
    first, second, without = round_.race(
        (12, lambda: process(round_, item_id, "one")),
        (12, lambda: process(round_, item_id, "two")),
        (8, lambda: process(round_, item_id)),
    )
    row = round_.row(item_id)
    assert {one["item"]["run_id"] for side in (first, second, without) for one in granted(side)} == {row["run_id"]}
    assert sorted(len(granted(side)) for side in (first, second, without)) in ([0, 0, 12], [0, 0, 1])
    assert moves(round_, row) == ["capture", "process"]


def archive_against_process_and_lease(round_: Round) -> None:
    item_id = captured(round_)["id"]

    def leases() -> run.RunFence:
        row = round_.row(item_id)
        return take(round_, run.RunFence(round_.owner, item_id, row.get("run_id", "")), "execution")

    puts_away, wishes, takes = round_.race(
        (10, lambda: archive(round_, item_id)),
        (10, lambda: process(round_, item_id)),
        (12, leases),
    )
    row = round_.row(item_id)
    way = moves(round_, row)
    assert way.count("process") == len(granted(wishes)) <= 1
    assert way.count("archive") == len(granted(puts_away)) <= 1
    assert bool(granted(takes)) == ("lease" in way)
    assert row["status"] == ("PROCESSING" if granted(takes) else "ARCHIVED")


def a_slow_worker_whose_lease_is_reclaimed_writes_nothing(round_: Round) -> None:
    holder = leased(round_)
    step(round_, holder, "extraction")
    rewrite(round_, holder.item, lease_expires_at=PAST, due_at=PAST)
    slow = [
        lambda: step(round_, holder, "summary"),
        lambda: fails(round_, holder),
        lambda: published(round_.table, holder),
    ]
    beats, *works = round_.race((8, lambda: beat(round_)), *((8, deed) for deed in slow))
    row = round_.row(holder.item)
    way = moves(round_, row)
    assert sum(each.get("reclaim", 0) for each in beats) == way.count("reclaim")
    assert len(granted(works[1])) == way.count("fail_ai") <= 1
    assert way.count("reclaim") + way.count("fail_ai") <= 1
    assert not granted(works[2])
    numbers(round_, row)
    if "reclaim" in way:
        assert (row["made"], row["reclaims"], "failure" in row) == ({}, 1, False)
    if way[-1] in ("reclaim", "fail_ai"):
        before = row, round_.inside(holder.item)
        for deed in slow:
            with pytest.raises((LeaseLost, RunIncomplete)):
                deed()
        assert (round_.row(holder.item), round_.inside(holder.item)) == before


def the_next_epoch_keeps_the_last_one_out(round_: Round) -> None:
    """The item is taken from its holder, and the next run works beside the one that does not know it yet."""
    old = leased(round_)
    rewrite(round_, old.item, lease_expires_at=PAST, due_at=PAST)
    assert beat(round_) == {"reclaim": 1}
    new = take(round_, run.RunFence(round_.owner, old.item, round_.row(old.item)["run_id"]), "second")
    lates, steps, failed = round_.race(
        (12, lambda: step(round_, old, "extraction")),
        (12, lambda: step(round_, new, "extraction")),
        (8, lambda: fails(round_, old)),
    )
    row = round_.row(old.item)
    assert len(told(lates + failed, LeaseLost)) == 20
    assert len(granted(steps)) == 12
    assert (row["status"], row["lease_epoch"], row["made"]) == ("PROCESSING", new.epoch, {"extraction": 1})
    of_the_step = [made["meta"]["run_id"] for made in round_.inside(old.item) if "meta" in made]
    assert of_the_step == [new.run]
    moves(round_, row)


def a_whole_set_is_published_or_failed_and_nothing_between(round_: Round) -> None:
    holder = at_the_gate(round_)
    gates, failed, puts_away = round_.race(
        (12, lambda: published(round_.table, holder)),
        (12, lambda: fails(round_, holder)),
        (8, lambda: archive(round_, holder.item)),
    )
    row = round_.row(holder.item)
    way = moves(round_, row)
    assert way.count("publish") + way.count("fail_ai") == 1
    assert len(granted(failed)) == way.count("fail_ai")
    assert bool(granted(gates)) == ("publish" in way)
    assert len(granted(puts_away)) == len([move for move in way if move.startswith("archive")]) <= 1
    assert len(told(puts_away, Forbidden)) == 8 - len(granted(puts_away))
    numbers(round_, row)
    if "publish" in way:
        assert row["served_run_id"] == holder.run
        assert is_whole(round_, row)
    assert "lease_owner" not in row


SCENES = (
    one_execution_gets_the_lease,
    one_process_request_id_is_one_run,
    archive_against_process_and_lease,
    a_slow_worker_whose_lease_is_reclaimed_writes_nothing,
    the_next_epoch_keeps_the_last_one_out,
    a_whole_set_is_published_or_failed_and_nothing_between,
)


@pytest.mark.parametrize("scene", SCENES)
def test_of_runs_at_once(arena: Arena, scene: Callable[[Round], None]) -> None:
    arena.play(scene)
