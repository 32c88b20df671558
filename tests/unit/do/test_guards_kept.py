"""What is taken away, and what is counted anew, is what was seen: nothing that came meanwhile."""

import pytest

from readdo.do import due_tasks, health, task_commands
from readdo.do.counters import STATE_SHARDS, shard_of
from readdo.do.recount import recount
from readdo.store import keys
from support.desk_races import TASK, A, RacedDesk, added, asked

IN_A_WEEK = "2026-11-26T00:00:00.000Z"
COUNTED = keys.count_of_states("me", shard_of(A, STATE_SHARDS))
_IDS = (f"{n:08d}-0000-4000-8000-000000000000" for n in range(1000))
NEAR = next(name for name in _IDS if shard_of(name, STATE_SHARDS) == shard_of(A, STATE_SHARDS))  # counted there too


@pytest.fixture
def table() -> RacedDesk:
    return RacedDesk()


@pytest.mark.parametrize("hold", [False, True], ids=["due by itself", "held"])
def test_a_task_that_came_under_the_id_of_a_buried_one_is_not_taken_away_by_a_sweep_that_comes_late(
    table: RacedDesk, hold: bool
) -> None:
    added(table, hold=True)
    task_commands.cancel(asked(table, "cancel"), A)
    seen = table.get(TASK) or {}
    due_tasks.task(table, seen, IN_A_WEEK)  # type: ignore[arg-type]
    assert TASK not in table.rows
    added(table, title="第二个", hold=hold)
    due_tasks.task(table, seen, IN_A_WEEK)  # type: ignore[arg-type]
    assert table.rows[TASK]["title"] == "第二个"


@pytest.mark.parametrize("lost", [False, True], ids=["drifted", "no row"])
def test_a_task_that_comes_while_its_shard_is_mended_is_counted(table: RacedDesk, lost: bool) -> None:
    added(table)
    if lost:
        del table.rows[COUNTED]
    else:
        table.change(COUNTED, in_todo=7)
    table.before_a_write = lambda: added(table, NEAR)
    found = recount(table, "me")  # type: ignore[arg-type]
    assert found.counted["todo"] == 2
    assert health.states(table, "me")["todo"] == 2  # type: ignore[arg-type]
    assert recount(table, "me").drift == {}  # type: ignore[arg-type]
