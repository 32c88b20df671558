"""Concurrent backups and restores: one at a time, and existing rows are not overwritten."""

import copy
from typing import Any

import pytest

from readdo import clock, files, invocations
from readdo.transfer import transfer_keys
from readdo.transfer.backup import backup_requests
from readdo.transfer.restore import restore_requests
from readdo.transfer.rows import BackupRow, OfferedRestore
from support.bucket import Bucket
from support.executions import Executions
from support.races import T0, T1, T2, Raced

TAKEN, FREE, BEFORE = "01TAKEN", "02FREE", "00BEFORE"
FILE_KEY = "restores/me/01TAKEN.zip"
Row = dict[str, Any]


@pytest.fixture
def table() -> Raced:
    return Raced()


@pytest.fixture(autouse=True)
def started_executions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record started executions, and provide a bucket with a file of ten bytes."""
    aws = Executions()
    bucket = Bucket()
    bucket.files[FILE_KEY] = b"0123456789"

    for setting in ("BACKUP_MACHINE_ARN", "RESTORE_MACHINE_ARN", "BUCKET_NAME"):
        monkeypatch.setenv(setting, "there")
    monkeypatch.setattr(invocations, "client", lambda _: aws)
    monkeypatch.setattr(files, "client", lambda _: bucket)
    return aws.names


def set_next_ids(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Set the next generated ids."""
    remaining = iter(names)
    monkeypatch.setattr(clock, "new_id", lambda _: next(remaining))


def work(name: str, status: str, **more: Any) -> Row:
    row = {"id": name, "owner": "me", "status": status, "version": 3, "created_at": T0, "updated_at": T0, "epoch": 1}
    return {**row, "restarts": 0, "history": [], "file": {"at": FILE_KEY, "bytes": 10, "sha256": ""}, **more}


def add_finished_backup(table: Raced) -> None:
    table.has(transfer_keys.newest_backup("me"), {"backup": BEFORE})
    table.has(transfer_keys.backup("me", BEFORE), work(BEFORE, "DONE", done_at="2026-11-01T10:00:00.000Z"))


@pytest.mark.parametrize("is_first", [True, False], ids=["the first of all", "after an older one"])
def test_concurrent_backup_requests_start_one_backup(
    table: Raced, started_executions: list[str], is_first: bool
) -> None:
    if not is_first:
        add_finished_backup(table)
    other: list[BackupRow] = []
    table.after_read(
        transfer_keys.newest_backup("me"), lambda: other.append(backup_requests.request_backup(table, "me", T1))
    )
    mine = backup_requests.request_backup(table, "me", T1)
    assert mine["id"] == other[0]["id"]
    assert started_executions == [f"{mine['id']}-1"]
    assert table.rows[transfer_keys.newest_backup("me")]["backup"] == mine["id"]


def test_backup_does_not_overwrite_another(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    there = transfer_keys.backup("me", TAKEN)
    table.has(there, work(TAKEN, "DONE"))
    before = copy.deepcopy(table.rows[there])
    set_next_ids(monkeypatch, TAKEN, FREE)
    assert backup_requests.request_backup(table, "me", T1)["id"] == FREE
    assert table.rows[there] == before


def offer_restore(table: Raced) -> OfferedRestore:
    return restore_requests.offer(table, "me", 10, "", T1)[0]


def start_another_restore(table: Raced) -> None:
    table.has(transfer_keys.newest_restore("me"), {"restore": "01OTHER"})
    table.has(transfer_keys.restore("me", "01OTHER"), work("01OTHER", "RUNNING"))


@pytest.mark.parametrize("is_first", [True, False], ids=["the first of all", "after an older one"])
def test_offer_fails_if_a_restore_was_started_meanwhile(table: Raced, is_first: bool) -> None:
    if not is_first:
        table.has(transfer_keys.newest_restore("me"), {"restore": BEFORE})
        table.has(transfer_keys.restore("me", BEFORE), work(BEFORE, "DONE"))
    table.after_read(transfer_keys.newest_restore("me"), lambda: start_another_restore(table))
    with pytest.raises(restore_requests.RestoreInProgress, match="01OTHER"):
        offer_restore(table)
    assert table.rows[transfer_keys.newest_restore("me")]["restore"] == "01OTHER"


def test_offer_fails_if_the_earlier_offer_was_started_meanwhile(table: Raced) -> None:
    waits = transfer_keys.restore("me", TAKEN)
    table.has(transfer_keys.newest_restore("me"), {"restore": TAKEN})
    table.has(waits, work(TAKEN, "WAITING", epoch=0))
    table.after_read(waits, lambda: restore_requests.start(table, "me", TAKEN, T1))
    with pytest.raises(restore_requests.RestoreInProgress, match=TAKEN):
        offer_restore(table)
    assert (table.rows[waits]["status"], table.rows[transfer_keys.newest_restore("me")]["restore"]) == (
        "RUNNING",
        TAKEN,
    )


def test_restore_does_not_overwrite_another(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    there = transfer_keys.restore("me", TAKEN)
    table.has(there, work(TAKEN, "DONE"))
    before = copy.deepcopy(table.rows[there])
    set_next_ids(monkeypatch, TAKEN, FREE)
    assert offer_restore(table)["id"] == FREE
    assert table.rows[there] == before


def test_replaced_offer_cannot_be_started(table: Raced, started_executions: list[str]) -> None:
    start_another_restore(table)
    table.has(transfer_keys.restore("me", TAKEN), work(TAKEN, "WAITING", epoch=0))
    before = copy.deepcopy(table.rows)
    with pytest.raises(restore_requests.RestoreInProgress, match="01OTHER"):
        restore_requests.start(table, "me", TAKEN, T2)
    assert (table.rows, started_executions) == (before, [])
