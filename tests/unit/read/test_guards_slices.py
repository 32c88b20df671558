"""Long work whose start was overtaken: it reads nothing, brings nothing back, and leaves nothing behind."""

import copy
import io
import json
import zipfile
from typing import Any

import pytest

from readdo import files
from readdo.errors import LeaseLost
from readdo.read import backup_run, restore_run, slices
from readdo.read.restores import NOTHING
from readdo.read.sliced_jobs import BRINGING_BACK, TAKING_OUT
from readdo.read.slices import Slice
from readdo.store import keys
from support.bucket import Bucket
from support.races import LATE, T0, T1, Raced, item

ID = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD"
BROUGHT = keys.item("me", ID)
RESTORE, BACKUP = keys.restore("me", "01RESTORE"), keys.backup("me", "01BACKUP")
TO_RESTORE = Slice(BRINGING_BACK, "me", "01RESTORE", 1)
TO_BACK_UP = Slice(TAKING_OUT, "me", "01BACKUP", 1)
PLACE = "restores/me/01RESTORE.zip"
LINE = {
    **{"id": ID, "status": "CAPTURED", "version": 1, "created_at": T0, "intent_text": "为了队列", "attempts": 0},
    **{"source_type": "web", "profile": "engineer", "versions": {}, "exports": []},
    "history": [{"at": T0, "by": "user", "what": "capture", "to": "CAPTURED"}],
}


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """With a backup's file of one item."""
    found, packed = Bucket(), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        zipped.writestr("readdo.json", '{"format":"readdo-backup","version":1}')
        zipped.writestr("items.jsonl", json.dumps(LINE))
        zipped.writestr("artifacts.jsonl", "")
    found.files[PLACE] = packed.getvalue()
    monkeypatch.setenv("BUCKET_NAME", "there")
    monkeypatch.setattr(files, "client", lambda _: found)
    return found


@pytest.fixture
def table(bucket: Bucket) -> Raced:
    found = Raced()
    row = {"owner": "me", "status": "RUNNING", "version": 3, "created_at": T0, "epoch": 1, "restarts": 0}
    row |= {"history": [], "due_at": LATE, "due_shard": "1"}
    there = {"at": PLACE, "bytes": len(bucket.files[PLACE])}
    found.has(RESTORE, {**row, "id": "01RESTORE", "so_far": dict(NOTHING), "file": there})
    found.has(BACKUP, {**row, "id": "01BACKUP", "so_far": backup_run.BackupProgress().kept})
    return found


def bring_back(table: Raced) -> None:
    restore_run.carry_on(table, TO_RESTORE, lambda: True)  # type: ignore[arg-type]


def test_a_restore_whose_start_is_the_newest_brings_its_item_back(table: Raced) -> None:
    bring_back(table)
    assert (table.rows[RESTORE]["status"], table.rows[BROUGHT]["status"]) == ("DONE", "CAPTURED")


def test_a_restore_that_is_overtaken_between_two_writes_brings_nothing_back(table: Raced) -> None:
    table.after_a_look(BROUGHT, lambda: table.touch(RESTORE, epoch=2))
    with pytest.raises(LeaseLost):
        bring_back(table)
    assert BROUGHT not in table.rows
    assert table.rows[RESTORE]["so_far"] == NOTHING


def test_an_item_that_came_to_life_meanwhile_is_not_written_over(table: Raced) -> None:
    lives = item("READY", id=ID, title="another's")
    table.after_a_look(BROUGHT, lambda: table.has(BROUGHT, lives))
    bring_back(table)
    assert table.rows[BROUGHT] == {**lives, **BROUGHT._asdict()}
    so_far = table.rows[RESTORE]["so_far"]
    assert (so_far["restored"], so_far["known"], so_far["refused"]) == (0, 1, 0)


def test_what_a_person_wrote_beside_an_item_that_came_to_life_meanwhile_stays(table: Raced) -> None:
    """Two invocations of one start: the faster brought the item back, and it was edited at once."""
    edited = keys.of_user("me", ID, "card", 2)

    def lives() -> None:
        table.has(BROUGHT, item("READY", id=ID))
        table.has(edited, {"type": "card"})

    table.after_a_look(BROUGHT, lives)
    bring_back(table)
    assert edited in table.rows
    assert table.rows[RESTORE]["so_far"]["known"] == 1


def test_what_an_older_restore_has_left_of_another_backup_is_taken_away(table: Raced) -> None:
    left = keys.of_user("me", ID, "card", 2)
    table.has(left, {"type": "card"})
    bring_back(table)
    assert (left in table.rows, table.rows[BROUGHT]["status"]) == (False, "CAPTURED")


@pytest.mark.parametrize("lost", [{"epoch": 2}, {"status": "PAUSED"}, {"status": "DONE"}])
def test_a_restore_that_was_overtaken_reads_nothing_of_its_file(
    table: Raced, bucket: Bucket, lost: dict[str, Any]
) -> None:
    table.touch(RESTORE, **lost)
    with pytest.raises(LeaseLost):
        bring_back(table)
    assert bucket.read == []


@pytest.mark.parametrize("lost", [{"epoch": 2}, {"status": "PAUSED"}, {"status": "DONE"}])
def test_a_backup_that_was_overtaken_leaves_no_file(table: Raced, bucket: Bucket, lost: dict[str, Any]) -> None:
    table.touch(BACKUP, **lost)
    table.has(keys.item("me", "01ITEM"), item("CAPTURED"))
    before = copy.deepcopy(bucket.files)
    with pytest.raises(LeaseLost):
        backup_run.carry_on(table, TO_BACK_UP, lambda: True)  # type: ignore[arg-type]
    assert bucket.files == before


def test_of_two_who_work_at_the_same_start_only_ones_piece_is_noted(table: Raced) -> None:
    seen = table.get(BACKUP) or {}
    slices.note(table, TO_BACK_UP, seen, {"so_far": {"pieces": ["第一"]}}, T1)
    before = copy.deepcopy(table.rows)
    with pytest.raises(LeaseLost):
        slices.note(table, TO_BACK_UP, seen, {"so_far": {"pieces": ["second"]}}, T1)
    with pytest.raises(LeaseLost):
        slices.finish(table, TO_BACK_UP, seen, {"file": {"at": "second"}}, T1)
    assert table.rows == before
