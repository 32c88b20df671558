"""Of many who want the same task one gets it, and what another made of it meanwhile is not written over."""

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest

from readdo.do import health, task_commands, todo_acceptance
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.write import Busy, Key, Write
from readdo.store import keys
from support.desk_races import TASK, A, B, RacedDesk, added, asked, claimed
from support.memory import Rows
from support.races import ITEM, T0, T1, card, item

A_TODO = {"title": "列出对这张表的所有写入", "eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}


@pytest.fixture
def table() -> RacedDesk:
    return RacedDesk()


def test_of_two_todos_that_are_accepted_at_once_the_item_knows_both(table: RacedDesk) -> None:
    table.has(ITEM, item("READY", served_run_id="01RUN", versions={"todos": 1}))
    todos = json.dumps({"todos": [A_TODO, {**A_TODO, "title": "给每个写入都加上条件"}]})
    table.has(keys.of_run("me", "01ITEM", "todos", "01RUN"), {**card()[1], "type": "todos", "payload": todos})

    def accept(number: int) -> dict[str, Any]:
        return todo_acceptance.accept(asked(table, "accept"), "01ITEM", number, 1, "")[0]

    table.after_a_look(ITEM, lambda: accept(2))
    accept(1)
    assert table.rows[ITEM]["tasks"] == [todo_acceptance.id_of("me", "01ITEM", 1, number) for number in (2, 1)]


def test_who_names_a_task_that_its_owner_blocked_is_told_so_and_not_that_others_were_writing(table: RacedDesk) -> None:
    added(table)
    task_commands.block(asked(table, "block"), A, "等我看过")
    before = copy.deepcopy(table.rows)
    with pytest.raises(Forbidden) as refused:
        claimed(table, task=A)
    assert (refused.value.status, table.rows) == ("blocked", before)


class Behind(RacedDesk):
    """Its indexes show what was, and a row in `being_written` is in somebody's transaction now."""

    was: Rows | None = None
    being_written: Key | None = None

    def _indexed(self, _: str) -> Rows:
        return self.rows if self.was is None else self.was

    def transact(self, writes: Sequence[Write]) -> None:
        if self.being_written in [write.key for write in writes]:
            raise Busy("a transaction met another one")
        super().transact(writes)


def test_a_worker_that_is_shown_anothers_task_does_not_meet_its_writes_and_takes_the_next() -> None:
    table = Behind()
    added(table, A, priority="P0")
    added(table, B, priority="P2")
    table.was = copy.deepcopy(table.rows)
    claimed(table, "first", task=A)
    table.being_written = TASK  # whoever has it tells how it ended
    found = claimed(table, "second")
    assert found is not None
    assert (found["task"]["id"], table.rows[TASK]["worker"]) == (B, "first")


def test_a_run_whose_id_is_drawn_again_is_not_written_over(table: RacedDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["01SAME", "01SAME", "01OTHER"])
    monkeypatch.setattr("readdo.ids.new", lambda _: next(drawn))
    added(table, A)
    added(table, B)
    claimed(table, "first")
    claimed(table, "second")
    runs = {key.sk: row["worker"] for key, row in table.rows.items() if key.pk == keys.runs("me")}
    assert runs == {"RUN#01SAME": "first", "RUN#01OTHER": "second"}


def test_a_long_history_that_grew_since_the_claim_is_not_cut_by_it(table: RacedDesk) -> None:
    added(table)
    table.change(TASK, history=[{"at": T0, "by": "heartbeat", "what": "lift", "to": "todo"}] * 201)
    table.after_a_transaction = lambda: task_commands.block(asked(table, "block"), A, "等我看过")
    claimed(table)
    moves = [entry["what"] for entry in table.rows[TASK]["history"]]
    assert (len(moves), moves[-2:]) == (203, ["claim", "stop"])


def test_a_task_that_moved_since_it_was_seen_is_counted_out_of_where_it_was(table: RacedDesk) -> None:
    added(table, hold=True)
    table.after_a_look(TASK, lambda: task_commands.enqueue(asked(table, "enqueue"), A))
    told = task_commands.cancel(asked(table, "cancel", T1), A)["task"]
    after = table.rows[TASK]
    assert (told["status"], told["version"]) == (after["status"], after["version"]) == ("cancelled", 3)
    assert set(health.states(table, "me").values()) == {0}  # type: ignore[arg-type]
