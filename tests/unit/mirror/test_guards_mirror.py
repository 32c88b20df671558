"""Mirror syncs: a lost lease, a concurrent start, and rows that change during the sync."""

import copy
from typing import Any

import pytest

from readdo.errors import LeaseLost
from readdo.integrations import integration_keys
from readdo.integrations.notion import change_marks, due_sync
from readdo.integrations.notion.sync_lease import SyncLease
from readdo.lifecycle.write import Write
from support.races import LATE, T0, T1, Raced

MIRROR, PAGE = integration_keys.mirror("me"), integration_keys.mirrored_row("me", "shown")
MARK = integration_keys.mark("me", "TASK#1")
LEASE = SyncLease("me", 1)


class FakeLambda:
    def invoke(self, **_: Any) -> None:
        """Accept the call without running anything."""


@pytest.fixture(autouse=True)
def mirror_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTION_DATABASE_ID", "NOTION_TOKEN_PARAMETER", "MIRROR_ARN"):
        monkeypatch.setenv(name, "there")
    monkeypatch.setenv("NOTION_OWNER", "me")
    monkeypatch.setattr("readdo.invocations.client", lambda _: FakeLambda())
    monkeypatch.setattr("readdo.clock.now", lambda: T1)


@pytest.fixture
def table() -> Raced:
    return Raced()


def mirror(status: str, **fields: Any) -> dict[str, Any]:
    due = {"due_at": LATE, "due_shard": "1"}
    row = {"owner": "me", "status": status, "version": 4, "epoch": 1, "taken": 1, "news": 0, "created_at": T0}
    return {**row, **due, **fields}


def begin_and_start(table: Raced) -> None:
    due_sync.begin(table, T0)  # type: ignore[arg-type]
    due_sync.attend(table, table.get(MIRROR) or {}, T1)  # type: ignore[arg-type]


def test_concurrent_heartbeats_create_the_mirror_once(
    table: Raced,
) -> None:
    table.after_read(MIRROR, lambda: begin_and_start(table))
    due_sync.begin(table, T0)  # type: ignore[arg-type]
    after = table.rows[MIRROR]
    assert (after["status"], after["epoch"], after["due_at"] > T1) == ("SYNCING", 1, True)


@pytest.mark.parametrize("status", ["RESTING", "SYNCING"])
def test_heartbeat_leaves_an_active_mirror_unchanged(table: Raced, status: str) -> None:
    table.has(MIRROR, mirror(status))
    before = copy.deepcopy(table.rows)
    due_sync.begin(table, T1)  # type: ignore[arg-type]
    assert table.rows == before


def test_row_marked_again_during_a_sync_stays_marked(table: Raced) -> None:
    change_marks.mark(table, "me", ["TASK#1"], T0)
    first_mark = table.rows[MARK]["mark"]
    change_marks.mark(table, "me", ["TASK#1"], T1)
    change_marks.unmark(table, MARK, first_mark)
    assert table.rows[MARK]["mark"] != first_mark
    change_marks.unmark(table, MARK, table.rows[MARK]["mark"])
    assert MARK not in table.rows


LOST = {"another turn": mirror("SYNCING", epoch=2), "ended": mirror("RESTING"), "switched off": mirror("OFF")}


@pytest.mark.parametrize("row", LOST.values(), ids=LOST)
def test_sync_without_its_lease_cannot_read_the_mirror(table: Raced, row: dict[str, Any]) -> None:
    table.has(MIRROR, row)
    with pytest.raises(LeaseLost):
        LEASE.row(table)


@pytest.mark.parametrize("row", LOST.values(), ids=LOST)
def test_sync_without_its_lease_does_not_overwrite_a_page(table: Raced, row: dict[str, Any]) -> None:
    table.has(MIRROR, row)
    table.has(PAGE, {"page": "of the next"})
    with pytest.raises(LeaseLost):
        LEASE.write(table, Write(PAGE, "put", row={"page": "of the last"}))
    assert table.rows[PAGE]["page"] == "of the next"


def test_sync_with_its_lease_reads_and_writes(table: Raced) -> None:
    table.has(MIRROR, mirror("SYNCING"))
    assert LEASE.row(table)["epoch"] == 1
    LEASE.write(table, Write(PAGE, "put", row={"page": "mine"}))
    assert table.rows[PAGE]["page"] == "mine"
