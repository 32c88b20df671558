"""Concurrent changes of tasks: only one worker gets a task, and no change is overwritten."""

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest

from readdo.do import health, task_commands, task_rows, todo_acceptance
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.write import Busy, Key, Write
from readdo.read import item_keys
from support.desk_races import TASK, A, B, RacedDesk, add_task, claim_task, command_context
from support.memory import Rows
from support.races import ITEM, T0, T1, card, item

TODO = {"title": "列出对这张表的所有写入", "eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}


@pytest.fixture
def table() -> RacedDesk:
    return RacedDesk()


def test_item_records_both_of_two_todos_accepted_concurrently(table: RacedDesk) -> None:
    table.has(ITEM, item("READY", served_run_id="01RUN", versions={"todos": 1}))
    todos = json.dumps({"todos": [TODO, {**TODO, "title": "给每个写入都加上条件"}]})
    table.has(
        item_keys.run_artifact("me", "01ITEM", "todos", "01RUN"), {**card()[1], "type": "todos", "payload": todos}
    )

    def accept(number: int) -> dict[str, Any]:
        return todo_acceptance.accept(command_context(table, "accept"), "01ITEM", number, 1, "")[0]

    table.after_read(ITEM, lambda: accept(2))
    accept(1)
    assert table.rows[ITEM]["tasks"] == [todo_acceptance.id_of("me", "01ITEM", 1, number) for number in (2, 1)]


def test_claim_of_a_blocked_task_is_forbidden(table: RacedDesk) -> None:
    add_task(table)
    task_commands.block(command_context(table, "block"), A, "等我看过")
    before = copy.deepcopy(table.rows)
    with pytest.raises(Forbidden) as refused:
        claim_task(table, task=A)
    assert (refused.value.status, table.rows) == ("blocked", before)


class StaleDesk(RacedDesk):
    """Table with stale indexes, and a row (`being_written`) in another transaction.

    `was` holds the rows that the indexes show.
    """

    was: Rows | None = None
    being_written: Key | None = None

    def _indexed(self, _: str) -> Rows:
        return self.rows if self.was is None else self.was

    def transact(self, writes: Sequence[Write]) -> None:
        if self.being_written in [write.key for write in writes]:
            raise Busy("a transaction met another one")
        super().transact(writes)


def test_claim_skips_a_task_claimed_by_another_worker() -> None:
    table = StaleDesk()
    add_task(table, A, priority="P0")
    add_task(table, B, priority="P2")
    table.was = copy.deepcopy(table.rows)
    claim_task(table, "first", task=A)
    table.being_written = TASK  # the other worker records the end of its run
    second_claim = claim_task(table, "second")
    assert second_claim is not None
    assert (second_claim["task"]["id"], table.rows[TASK]["worker"]) == (B, "first")


def test_run_with_a_taken_id_uses_another_id(table: RacedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    new_ids = iter(["01SAME", "01SAME", "01OTHER"])
    monkeypatch.setattr("readdo.clock.new_id", lambda _: next(new_ids))
    add_task(table, A)
    add_task(table, B)
    claim_task(table, "first")
    claim_task(table, "second")
    runs = {key.sk: row["worker"] for key, row in table.rows.items() if key.pk == task_rows.runs_of("me")}
    assert runs == {"RUN#01SAME": "first", "RUN#01OTHER": "second"}


def test_claim_does_not_cut_a_history_that_grew(table: RacedDesk) -> None:
    add_task(table)
    table.change(TASK, history=[{"at": T0, "by": "heartbeat", "what": "lift", "to": "todo"}] * 201)
    table.after_a_transaction = lambda: task_commands.block(command_context(table, "block"), A, "等我看过")
    claim_task(table)
    moves = [entry["what"] for entry in table.rows[TASK]["history"]]
    assert (len(moves), moves[-2:]) == (203, ["claim", "stop"])


def test_cancel_counts_a_task_moved_meanwhile_correctly(table: RacedDesk) -> None:
    add_task(table, hold=True)
    table.after_read(TASK, lambda: task_commands.enqueue(command_context(table, "enqueue"), A))
    returned = task_commands.cancel(command_context(table, "cancel", T1), A)["task"]
    after = table.rows[TASK]
    assert (returned["status"], returned["version"]) == (after["status"], after["version"]) == ("cancelled", 3)
    assert set(health.states(table, "me").values()) == {0}  # type: ignore[arg-type]


def test_owner_is_registered_once(table: RacedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    health.register_owner(table, "me", T0)
    monkeypatch.setattr(table, "get", lambda *_, **__: None)  # both requests looked before the first write
    health.register_owner(table, "me", T1)
    assert table.rows[task_rows.desk_key("me")]["created_at"] == T0
