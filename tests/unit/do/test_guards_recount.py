"""Sweeps and recounts act only on the rows that they read, not on rows added meanwhile."""

import pytest

from readdo.do import background, health, task_commands, task_rows
from readdo.do.task_rows import OPEN_TASKS
from readdo.store.counters import SHARDS, shard_of
from support.desk_races import TASK, A, RacedDesk, add_task, command_context

IN_A_WEEK = "2026-11-26T00:00:00.000Z"
COUNTED = task_rows.count_of_states("me", shard_of(A, SHARDS))
_IDS = (f"{n:08d}-0000-4000-8000-000000000000" for n in range(1000))
NEAR = next(name for name in _IDS if shard_of(name, SHARDS) == shard_of(A, SHARDS))  # has the same shard


@pytest.fixture
def table() -> RacedDesk:
    return RacedDesk()


@pytest.mark.parametrize("hold", [False, True], ids=["due by itself", "held"])
def test_late_sweep_does_not_remove_a_new_task_with_the_same_id(table: RacedDesk, hold: bool) -> None:
    add_task(table, hold=True)
    task_commands.cancel(command_context(table, "cancel"), A)
    stale_row = table.get(TASK) or {}
    background.attend_task(table, stale_row, IN_A_WEEK)  # type: ignore[arg-type]
    assert TASK not in table.rows
    add_task(table, title="第二个", hold=hold)
    background.attend_task(table, stale_row, IN_A_WEEK)  # type: ignore[arg-type]
    assert table.rows[TASK]["title"] == "第二个"


@pytest.mark.parametrize("is_missing", [False, True], ids=["drifted", "no row"])
def test_recount_includes_a_task_added_meanwhile(table: RacedDesk, is_missing: bool) -> None:
    add_task(table)
    if is_missing:
        del table.rows[COUNTED]
    else:
        table.change(COUNTED, in_todo=7)
    table.before_a_write = lambda: add_task(table, NEAR)
    result = OPEN_TASKS.recount(table, "me")  # type: ignore[arg-type]
    assert result.counted["todo"] == 2
    assert health.states(table, "me")["todo"] == 2  # type: ignore[arg-type]
    assert OPEN_TASKS.recount(table, "me").drift == {}  # type: ignore[arg-type]
