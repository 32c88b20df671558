"""A run without its lease, a repeated delivery and a second sweep change nothing."""

import copy
from typing import Any, cast

import pytest

from readdo import invocations
from readdo.errors import LeaseLost
from readdo.heartbeat import sweep
from readdo.read import artifacts, history, item_deletion, item_keys
from readdo.read.artifacts import Product
from readdo.read.rows import ItemRow, ItemTombstone
from readdo.read.run_steps import RunFence, fenced, lease, make
from support.bucket import Bucket
from support.executions import Executions
from support.races import ITEM, LATE, T0, T1, T2, Raced, item

RUN = RunFence("me", "01ITEM", "01RUN", 1)
HELD = {"lease_owner": "01RUN-1", "lease_expires_at": LATE, "due_at": LATE, "due_shard": "1"}


def product(words: str) -> Product:
    return Product({"headline": words}, "engine", "template")


@pytest.fixture
def table() -> Raced:
    return Raced()


@pytest.fixture(autouse=True)
def started_executions(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Record started executions, and provide an empty bucket."""
    aws, bucket = Executions(), Bucket()
    for name in ("PROCESS_MACHINE_ARN", "EXPORT_MACHINE_ARN", "BUCKET_NAME"):
        monkeypatch.setenv(name, "there")
    monkeypatch.setattr(invocations, "client", lambda _: aws)
    monkeypatch.setattr("readdo.files.client", lambda _: bucket)
    return aws.asked


def test_repeated_lease_delivery_returns_the_same_lease(table: Raced) -> None:
    table.has(ITEM, item("QUEUED"))
    first = lease(table, RUN, "01RUN-1", T1)
    before = copy.deepcopy(table.rows[ITEM])
    assert lease(table, RUN, "01RUN-1", T2) == first
    assert (first.epoch, table.rows[ITEM]) == (2, before)


@pytest.mark.parametrize(
    "other",
    [
        {"lease_owner": "01RUN-2"},  # the same run in another execution
        {"run_id": "02RUN"},
        {"status": "READY"},
        {"status": "FAILED_AI"},
    ],
    ids=["another execution", "another run", "READY", "FAILED_AI"],
)
def test_lease_held_by_another_execution_is_lost(table: Raced, other: dict[str, Any]) -> None:
    table.has(ITEM, {**item("PROCESSING", **HELD), **other})
    before = copy.deepcopy(table.rows)
    with pytest.raises(LeaseLost):
        lease(table, RUN, "01RUN-1", T2)
    assert table.rows == before


@pytest.mark.parametrize("change", [{"lease_epoch": 2}, {"run_id": "02RUN"}, {"status": "QUEUED"}, {"status": "READY"}])
def test_fence_refuses_a_run_without_the_lease(table: Raced, change: dict[str, Any]) -> None:
    table.has(ITEM, {**item("PROCESSING", **HELD), **change})
    with pytest.raises(LeaseLost):
        fenced(table, RUN)


def test_artifact_number_taken_by_an_edit_is_not_reused(table: Raced) -> None:
    table.has(ITEM, item("PROCESSING", **HELD))
    stale_row = table.get(ITEM) or {}
    table.touch(ITEM, **{"versions.card": 1})
    make(table, RUN, "card", cast("ItemRow", stale_row), product("made"), T1, {})
    after = table.rows[ITEM]
    assert (after["versions"]["card"], after["made"]["card"]) == (2, 2)
    assert (artifacts.of_run(table, "me", "01ITEM", "card", "01RUN") or {})["version"] == 2


def test_artifact_of_a_run_is_not_overwritten(table: Raced) -> None:
    table.has(ITEM, item("PROCESSING", **HELD))
    for words in ("第一", "second"):
        make(table, RUN, "card", cast("ItemRow", table.get(ITEM) or {}), product(words), T1, {})
    artifact = artifacts.of_run(table, "me", "01ITEM", "card", "01RUN") or {}
    assert (artifact["payload"], artifact["version"]) == ({"headline": "第一"}, 1)
    assert table.rows[ITEM]["made"] == {"card": 1}


DUE = {"due_at": T0, "due_shard": "1"}


def run_sweep(table: Raced, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    monkeypatch.setattr("readdo.clock.now", lambda: T1)
    return sweep.sweep(table, lambda: True)  # type: ignore[arg-type]


def test_sweep_does_not_start_an_item_that_was_postponed(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started_executions: list[dict[str, Any]]
) -> None:
    table.has(ITEM, item("CAPTURED", **DUE))
    table.after_read(ITEM, lambda: table.touch(ITEM, due_at=LATE))
    assert run_sweep(table, monkeypatch) == {"lost_a_race": 1}
    assert (table.rows[ITEM]["status"], table.rows[ITEM]["due_at"], started_executions) == ("CAPTURED", LATE, [])


def test_postponed_tombstone_is_not_removed(table: Raced) -> None:
    tombstone = {"id": "01ITEM", "owner": "me", "deleted_at": T0}
    table.has(ITEM, {**tombstone, "due_at": LATE})
    for stale_row in (tombstone, {**tombstone, "swept_at": T0}):
        item_deletion.attend(table, cast("ItemTombstone", {**stale_row, "due_at": T0}), T1)  # type: ignore[arg-type]
        assert {name: table.rows[ITEM].get(name) for name in ("due_at", "swept_at")} == {
            "due_at": LATE,
            "swept_at": None,
        }
    item_deletion.attend(table, cast("ItemTombstone", {**tombstone, "due_at": LATE}), T1)  # type: ignore[arg-type]
    assert (table.rows[ITEM]["swept_at"], table.rows[ITEM]["due_at"] > T1) == (T1, True)
    item_deletion.attend(table, table.rows[ITEM], T1)  # type: ignore[arg-type]
    assert ITEM not in table.rows


def test_fold_does_not_overwrite_archived_history(table: Raced) -> None:
    entries = [{"at": T0, "by": "user", "what": "archive", "to": "ARCHIVED"}] * 60
    table.has(ITEM, item("READY", history=entries))
    older = item_keys.older_history("me", "01ITEM", 7)
    table.has(older, {"entries": ["what is there"]})
    assert history.fold(table, cast("ItemRow", table.get(ITEM) or {})) is False
    assert table.rows[older]["entries"] == ["what is there"]
    assert len(table.rows[ITEM]["history"]) == 60


def test_fold_does_not_cut_a_history_that_grew(table: Raced) -> None:
    entries = [{"at": T0, "by": "user", "what": "archive", "to": "ARCHIVED"}] * 60
    table.has(ITEM, item("READY", history=entries))
    stale_row = table.get(ITEM) or {}
    table.touch(ITEM, history=[*entries, "one more"])
    assert history.fold(table, cast("ItemRow", stale_row)) is False
    assert len(table.rows[ITEM]["history"]) == 61
