"""Races of heartbeats: due work is done once, also while users change the items."""

from typing import Any

from races.race_items import PAST, capture_item, lease_item, queue_item, rewrite, run_command
from races.race_round import Arena, Round, accepted, moves
from readdo import clock
from readdo.heartbeat import sweep
from readdo.read import item_commands, item_deletion, item_keys, step_failures

BROKEN = {"Error": "KeyError", "Cause": "{}"}


def due_work_is_done_once(round_: Round) -> None:
    """An item of each kind of due work; the owner archives two of them meanwhile."""
    waiting, started, failed, dead = (
        capture_item(round_)["id"],
        queue_item(round_),
        lease_item(round_),
        lease_item(round_),
    )
    step_failures.record(round_.table, failed, BROKEN, clock.now())
    deleted = capture_item(round_)["id"]
    run_command(round_, deleted, "delete", item_deletion.delete)
    for item_id in (waiting, started.item, failed.item, deleted):
        rewrite(round_, item_id, due_at=PAST, due_shard="1")
    rewrite(round_, dead.item, due_at=PAST, lease_expires_at=PAST)

    def archive(item_id: str) -> dict[str, Any]:
        return run_command(round_, item_id, "archive", item_commands.archive(None))

    beats, first, second = round_.race(
        (16, lambda: sweep.sweep(round_.table, lambda: True)),
        (8, lambda: archive(waiting)),
        (8, lambda: archive(failed.item)),
    )
    paths = [moves(round_, round_.row(item_id)) for item_id in (waiting, started.item, failed.item, dead.item)]
    counted = {
        name: sum(each.get(name, 0) for each in beats) for name in ("enqueue", "start_again", "auto_retry", "reclaim")
    }
    assert counted == {name: sum(path.count(name) for path in paths) for name in counted}
    assert (counted["start_again"], counted["reclaim"]) == (1, 1)
    assert counted["enqueue"] <= 1
    assert counted["auto_retry"] <= 1
    assert (len(accepted(first)), len(accepted(second))) == (1, 1)
    assert not any(each.get("failed") for each in beats)
    assert "swept_at" in (round_.table.get(item_keys.item(round_.owner, deleted)) or {}), "it is forgotten later"


def test_concurrent_heartbeats(arena: Arena) -> None:
    arena.play(due_work_is_done_once)
