"""Races of heartbeats: what is due is done once, whatever else is done to it at the same time."""

from typing import Any

from race_items import PAST, captured, done, leased, queued, rewrite
from race_round import Arena, Round, granted, moves

from readdo import clock
from readdo.read import item_commands, item_deletion, step_failures, sweep
from readdo.store import keys

BROKEN = {"Error": "KeyError", "Cause": "{}"}


def what_is_due_is_done_once(round_: Round) -> None:
    """An item of every kind that can be due; two of them are put away by their owner meanwhile."""
    waiting, started, failed, dead = captured(round_)["id"], queued(round_), leased(round_), leased(round_)
    step_failures.record(round_.table, failed, BROKEN, clock.now())
    gone = captured(round_)["id"]
    done(round_, gone, "delete", item_deletion.delete)
    for item_id in (waiting, started.item, failed.item, gone):
        rewrite(round_, item_id, due_at=PAST, due_shard="1")
    rewrite(round_, dead.item, due_at=PAST, lease_expires_at=PAST)

    def put_away(item_id: str) -> dict[str, Any]:
        return done(round_, item_id, "archive", item_commands.archive(None))

    beats, first, second = round_.race(
        (16, lambda: sweep.sweep(round_.table, lambda: True)),
        (8, lambda: put_away(waiting)),
        (8, lambda: put_away(failed.item)),
    )
    ways = [moves(round_, round_.row(item_id)) for item_id in (waiting, started.item, failed.item, dead.item)]
    counted = {
        name: sum(each.get(name, 0) for each in beats) for name in ("enqueue", "start_again", "auto_retry", "reclaim")
    }
    assert counted == {name: sum(way.count(name) for way in ways) for name in counted}
    assert (counted["start_again"], counted["reclaim"]) == (1, 1)
    assert counted["enqueue"] <= 1
    assert counted["auto_retry"] <= 1
    assert (len(granted(first)), len(granted(second))) == (1, 1)
    assert not any(each.get("failed") for each in beats)
    assert "swept_at" in (round_.table.get(keys.item(round_.owner, gone)) or {}), "it is forgotten later"


def test_of_heartbeats_at_once(arena: Arena) -> None:
    arena.play(what_is_due_is_done_once)
