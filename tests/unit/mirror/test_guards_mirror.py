"""A mirror whose turn another took, that two begin at once, or whose rows are marked anew while they are shown."""

import copy
from typing import Any

import pytest

from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.mirror import change_marks, due_sync
from readdo.mirror.sync_lease import SyncLease
from readdo.store import keys
from support.races import LATE, T0, T1, Raced

MIRROR, PAGE = keys.mirror("me"), keys.mirrored("me", "shown")
MARK = keys.mark("me", "TASK#1")
TURN = SyncLease("me", 1)


class Rooms:
    def invoke(self, **_: Any) -> None:
        """AWS calls it; nothing runs here."""


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTION_DATABASE_ID", "NOTION_TOKEN_PARAMETER", "MIRROR_ARN"):
        monkeypatch.setenv(name, "there")
    monkeypatch.setenv("NOTION_OWNER", "me")
    monkeypatch.setattr("readdo.lambda_invocation.client", lambda _: Rooms())
    monkeypatch.setattr("readdo.clock.now", lambda: T1)


@pytest.fixture
def table() -> Raced:
    return Raced()


def mirror(status: str, **more: Any) -> dict[str, Any]:
    due = {"due_at": LATE, "due_shard": "1"}
    row = {"owner": "me", "status": status, "version": 4, "epoch": 1, "taken": 1, "news": 0, "created_at": T0}
    return {**row, **due, **more}


def begin_and_start(table: Raced) -> None:
    due_sync.begin(table, T0)  # type: ignore[arg-type]
    due_sync.attend(table, table.get(MIRROR) or {}, T1)  # type: ignore[arg-type]


def test_of_two_heartbeats_that_begin_a_mirror_at_once_the_second_does_not_take_the_firsts_turn_away(
    table: Raced,
) -> None:
    table.after_a_look(MIRROR, lambda: begin_and_start(table))
    due_sync.begin(table, T0)  # type: ignore[arg-type]
    after = table.rows[MIRROR]
    assert (after["status"], after["epoch"], after["due_at"] > T1) == ("SYNCING", 1, True)


@pytest.mark.parametrize("status", ["RESTING", "SYNCING"])
def test_a_mirror_that_is_on_is_not_switched_on_every_minute_and_no_heartbeat_fails_of_it(
    table: Raced, status: str
) -> None:
    table.has(MIRROR, mirror(status))
    before = copy.deepcopy(table.rows)
    due_sync.begin(table, T1)  # type: ignore[arg-type]
    assert table.rows == before


def test_a_row_that_was_marked_anew_while_it_was_shown_stays_marked(table: Raced) -> None:
    change_marks.mark(table, "me", ["TASK#1"], T0)
    seen = table.rows[MARK]["mark"]
    change_marks.mark(table, "me", ["TASK#1"], T1)
    change_marks.unmark(table, MARK, seen)
    assert table.rows[MARK]["mark"] != seen
    change_marks.unmark(table, MARK, table.rows[MARK]["mark"])
    assert MARK not in table.rows


LOST = {"another turn": mirror("SYNCING", epoch=2), "ended": mirror("RESTING"), "switched off": mirror("OFF")}


@pytest.mark.parametrize("now", LOST.values(), ids=LOST)
def test_a_turn_that_lost_the_mirror_shows_no_more_of_it(table: Raced, now: dict[str, Any]) -> None:
    table.has(MIRROR, now)
    with pytest.raises(LeaseLost):
        TURN.row(table)


@pytest.mark.parametrize("now", LOST.values(), ids=LOST)
def test_a_turn_that_lost_the_mirror_writes_over_no_page_that_the_next_one_noted(
    table: Raced, now: dict[str, Any]
) -> None:
    table.has(MIRROR, now)
    table.has(PAGE, {"page": "of the next"})
    with pytest.raises(LeaseLost):
        TURN.write(table, Write(PAGE, "put", row={"page": "of the last"}))
    assert table.rows[PAGE]["page"] == "of the next"


def test_a_turn_that_holds_the_mirror_is_handed_it_and_writes(table: Raced) -> None:
    table.has(MIRROR, mirror("SYNCING"))
    assert TURN.row(table)["epoch"] == 1
    TURN.write(table, Write(PAGE, "put", row={"page": "mine"}))
    assert table.rows[PAGE]["page"] == "mine"
