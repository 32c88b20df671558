"""Backups and restores that are asked for at once: one at a time, and what is there is not written over."""

import copy
from typing import Any

import pytest

from readdo import files, ids
from readdo.read import backups, restores, workflows
from readdo.store import keys
from support.bucket import Bucket
from support.executions import Executions
from support.races import T0, T1, T2, Raced

TAKEN, FREE, BEFORE = "01TAKEN", "02FREE", "00BEFORE"
PLACE = "restores/me/01TAKEN.zip"
Row = dict[str, Any]


@pytest.fixture
def table() -> Raced:
    return Raced()


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The executions that AWS is asked to start, beside a bucket with a file of ten bytes."""
    aws = Executions()
    bucket = Bucket()
    bucket.files[PLACE] = b"0123456789"

    for setting in ("BACKUP_MACHINE_ARN", "RESTORE_MACHINE_ARN", "BUCKET_NAME"):
        monkeypatch.setenv(setting, "there")
    monkeypatch.setattr(workflows, "client", lambda _: aws)
    monkeypatch.setattr(files, "client", lambda _: bucket)
    return aws.names


def drawn(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """The next names that are drawn by chance."""
    left = iter(names)
    monkeypatch.setattr(ids, "new", lambda _: next(left))


def work(name: str, status: str, **more: Any) -> Row:
    row = {"id": name, "owner": "me", "status": status, "version": 3, "created_at": T0, "updated_at": T0, "epoch": 1}
    return {**row, "restarts": 0, "history": [], "file": {"at": PLACE, "bytes": 10, "sha256": ""}, **more}


def backed_up(table: Raced) -> None:
    table.has(keys.newest_backup("me"), {"backup": BEFORE})
    table.has(keys.backup("me", BEFORE), work(BEFORE, "DONE", done_at="2026-11-01T10:00:00.000Z"))


@pytest.mark.parametrize("is_first", [True, False], ids=["the first of all", "after an older one"])
def test_of_two_backups_asked_for_at_once_there_is_one(table: Raced, started: list[str], is_first: bool) -> None:
    if not is_first:
        backed_up(table)
    other: list[Row] = []
    table.after_a_look(keys.newest_backup("me"), lambda: other.append(backups.request_backup(table, "me", T1)))
    mine = backups.request_backup(table, "me", T1)
    assert mine["id"] == other[0]["id"]
    assert started == [f"{mine['id']}-1"]
    assert table.rows[keys.newest_backup("me")]["backup"] == mine["id"]


def test_a_backup_is_not_written_over_another(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    there = keys.backup("me", TAKEN)
    table.has(there, work(TAKEN, "DONE"))
    before = copy.deepcopy(table.rows[there])
    drawn(monkeypatch, TAKEN, FREE)
    assert backups.request_backup(table, "me", T1)["id"] == FREE
    assert table.rows[there] == before


def offered(table: Raced) -> Row:
    return restores.offer(table, "me", 10, "", T1)[0]


def another_runs(table: Raced) -> None:
    table.has(keys.newest_restore("me"), {"restore": "01OTHER"})
    table.has(keys.restore("me", "01OTHER"), work("01OTHER", "RUNNING"))


@pytest.mark.parametrize("is_first", [True, False], ids=["the first of all", "after an older one"])
def test_a_restore_that_another_began_meanwhile_is_not_put_aside(table: Raced, is_first: bool) -> None:
    if not is_first:
        table.has(keys.newest_restore("me"), {"restore": BEFORE})
        table.has(keys.restore("me", BEFORE), work(BEFORE, "DONE"))
    table.after_a_look(keys.newest_restore("me"), lambda: another_runs(table))
    with pytest.raises(restores.RestoreInProgress, match="01OTHER"):
        offered(table)
    assert table.rows[keys.newest_restore("me")]["restore"] == "01OTHER"


def test_an_offer_that_was_started_meanwhile_is_not_put_aside(table: Raced) -> None:
    waits = keys.restore("me", TAKEN)
    table.has(keys.newest_restore("me"), {"restore": TAKEN})
    table.has(waits, work(TAKEN, "WAITING", epoch=0))
    table.after_a_look(waits, lambda: restores.start(table, "me", TAKEN, T1))
    with pytest.raises(restores.RestoreInProgress, match=TAKEN):
        offered(table)
    assert (table.rows[waits]["status"], table.rows[keys.newest_restore("me")]["restore"]) == ("RUNNING", TAKEN)


def test_a_restore_is_not_written_over_another(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    there = keys.restore("me", TAKEN)
    table.has(there, work(TAKEN, "DONE"))
    before = copy.deepcopy(table.rows[there])
    drawn(monkeypatch, TAKEN, FREE)
    assert offered(table)["id"] == FREE
    assert table.rows[there] == before


def test_an_offer_that_another_took_the_place_of_is_not_started_beside_it(table: Raced, started: list[str]) -> None:
    another_runs(table)
    table.has(keys.restore("me", TAKEN), work(TAKEN, "WAITING", epoch=0))
    before = copy.deepcopy(table.rows)
    with pytest.raises(restores.RestoreInProgress, match="01OTHER"):
        restores.start(table, "me", TAKEN, T2)
    assert (table.rows, started) == (before, [])
