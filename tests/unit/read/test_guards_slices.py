"""A superseded run of a long job reads nothing, restores nothing and writes nothing."""

import copy
import io
import json
import zipfile
from typing import Any

import pytest

from readdo import files
from readdo.errors import LeaseLost
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.read import item_keys
from readdo.transfer import transfer_keys
from readdo.transfer.backup import backup_run
from readdo.transfer.backup.archive_part import BackupProgress
from readdo.transfer.jobs import BACKUP_JOB, RESTORE_JOB
from readdo.transfer.restore import restore_run
from readdo.transfer.restore.restore_requests import NOTHING
from support.bucket import Bucket
from support.races import LATE, T0, T1, Raced, item

ID = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD"
RESTORED_ITEM = item_keys.item("me", ID)
RESTORE, BACKUP = transfer_keys.restore("me", "01RESTORE"), transfer_keys.backup("me", "01BACKUP")
TO_RESTORE = Slice(RESTORE_JOB, "me", "01RESTORE", 1)
TO_BACK_UP = Slice(BACKUP_JOB, "me", "01BACKUP", 1)
FILE_KEY = "restores/me/01RESTORE.zip"
LINE = {
    **{"id": ID, "status": "CAPTURED", "version": 1, "created_at": T0, "intent_text": "为了队列", "attempts": 0},
    **{"source_type": "web", "profile": "engineer", "versions": {}, "exports": []},
    "history": [{"at": T0, "by": "user", "what": "capture", "to": "CAPTURED"}],
}


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """Provide a bucket with a backup of one item."""
    fake_bucket, packed = Bucket(), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        zipped.writestr("readdo.json", '{"format":"readdo-backup","version":1}')
        zipped.writestr("items.jsonl", json.dumps(LINE))
        zipped.writestr("artifacts.jsonl", "")
    fake_bucket.files[FILE_KEY] = packed.getvalue()
    monkeypatch.setenv("BUCKET_NAME", "there")
    monkeypatch.setattr(files, "client", lambda _: fake_bucket)
    return fake_bucket


@pytest.fixture
def table(bucket: Bucket) -> Raced:
    raced = Raced()
    row = {"owner": "me", "status": "RUNNING", "version": 3, "created_at": T0, "epoch": 1, "restarts": 0}
    row |= {"history": [], "due_at": LATE, "due_shard": "1"}
    there = {"at": FILE_KEY, "bytes": len(bucket.files[FILE_KEY])}
    raced.has(RESTORE, {**row, "id": "01RESTORE", "so_far": dict(NOTHING), "file": there})
    raced.has(BACKUP, {**row, "id": "01BACKUP", "so_far": BackupProgress().kept})
    return raced


def run_restore(table: Raced) -> None:
    restore_run.carry_on(table, TO_RESTORE, lambda: True)  # type: ignore[arg-type]


def test_current_restore_run_restores_its_item(table: Raced) -> None:
    run_restore(table)
    assert (table.rows[RESTORE]["status"], table.rows[RESTORED_ITEM]["status"]) == ("DONE", "CAPTURED")


def test_restore_superseded_between_two_writes_restores_nothing(table: Raced) -> None:
    table.after_read(RESTORED_ITEM, lambda: table.touch(RESTORE, epoch=2))
    with pytest.raises(LeaseLost):
        run_restore(table)
    assert RESTORED_ITEM not in table.rows
    assert table.rows[RESTORE]["so_far"] == NOTHING


def test_restore_does_not_overwrite_an_item_created_meanwhile(table: Raced) -> None:
    existing = item("READY", id=ID, title="another's")
    table.after_read(RESTORED_ITEM, lambda: table.has(RESTORED_ITEM, existing))
    run_restore(table)
    assert table.rows[RESTORED_ITEM] == {**existing, **RESTORED_ITEM._asdict()}
    so_far = table.rows[RESTORE]["so_far"]
    assert (so_far["restored"], so_far["known"], so_far["refused"]) == (0, 1, 0)


def test_restore_keeps_an_edit_made_meanwhile(table: Raced) -> None:
    """Two invocations of one run: the faster one restored the item, and the user edited it at once."""
    edited = item_keys.user_artifact("me", ID, "card", 2)

    def restore_and_edit() -> None:
        table.has(RESTORED_ITEM, item("READY", id=ID))
        table.has(edited, {"type": "card"})

    table.after_read(RESTORED_ITEM, restore_and_edit)
    run_restore(table)
    assert edited in table.rows
    assert table.rows[RESTORE]["so_far"]["known"] == 1


def test_restore_removes_leftovers_of_an_earlier_restore(table: Raced) -> None:
    leftover = item_keys.user_artifact("me", ID, "card", 2)
    table.has(leftover, {"type": "card"})
    run_restore(table)
    assert (leftover in table.rows, table.rows[RESTORED_ITEM]["status"]) == (False, "CAPTURED")


@pytest.mark.parametrize("change", [{"epoch": 2}, {"status": "PAUSED"}, {"status": "DONE"}])
def test_superseded_restore_does_not_read_its_file(table: Raced, bucket: Bucket, change: dict[str, Any]) -> None:
    table.touch(RESTORE, **change)
    with pytest.raises(LeaseLost):
        run_restore(table)
    assert bucket.read == []


@pytest.mark.parametrize("change", [{"epoch": 2}, {"status": "PAUSED"}, {"status": "DONE"}])
def test_superseded_backup_writes_no_file(table: Raced, bucket: Bucket, change: dict[str, Any]) -> None:
    table.touch(BACKUP, **change)
    table.has(item_keys.item("me", "01ITEM"), item("CAPTURED"))
    before = copy.deepcopy(bucket.files)
    with pytest.raises(LeaseLost):
        backup_run.carry_on(table, TO_BACK_UP, lambda: True)  # type: ignore[arg-type]
    assert bucket.files == before


def test_only_one_of_two_invocations_records_its_slice(table: Raced) -> None:
    stale_row = table.get(BACKUP) or {}
    sliced_job.note(table, TO_BACK_UP, stale_row, {"so_far": {"pieces": ["第一"]}}, T1)
    before = copy.deepcopy(table.rows)
    with pytest.raises(LeaseLost):
        sliced_job.note(table, TO_BACK_UP, stale_row, {"so_far": {"pieces": ["second"]}}, T1)
    with pytest.raises(LeaseLost):
        sliced_job.finish(table, TO_BACK_UP, stale_row, {"file": {"at": "second"}}, T1)
    assert table.rows == before
