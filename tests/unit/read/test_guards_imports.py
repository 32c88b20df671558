"""Imports with repeated commands or a superseded run: no epoch and no line counts twice."""

import copy
import json
from typing import Any

import pytest

from readdo import clock, files, invocations
from readdo.errors import LeaseLost
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Conflict, Refused
from readdo.transfer import transfer_keys
from readdo.transfer.imports import import_commands, lines
from readdo.transfer.imports.import_commands import ImportRequest
from readdo.transfer.jobs import IMPORT_JOB
from support.bucket import Bucket
from support.executions import Executions
from support.races import ITEM, LATE, T0, T1, Raced, item

IMPORT = transfer_keys.import_job("me", "01IMPORT")
RUN = Slice(IMPORT_JOB, "me", "01IMPORT", 1)
PAGE = "imports/me/01IMPORT/1/00000.json"
LINK = {"url": "https://example.org/一", "title": "first"}
Row = dict[str, Any]


@pytest.fixture
def table() -> Raced:
    return Raced()


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    fake_bucket = Bucket()
    for setting in ("IMPORT_MACHINE_ARN", "BUCKET_NAME"):
        monkeypatch.setenv(setting, "there")
    monkeypatch.setattr(files, "client", lambda _: fake_bucket)
    return fake_bucket


@pytest.fixture(autouse=True)
def started_executions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    aws = Executions()

    monkeypatch.setattr(invocations, "client", lambda _: aws)
    return aws.names


def importing(status: str, **more: Any) -> Row:
    return {
        "id": "01IMPORT",
        "owner": "me",
        "status": status,
        "version": 5,
        "created_at": T0,
        "updated_at": T0,
        "filename": "links.txt",
        "size": 10,
        "process": False,
        "intent_text": "为了队列",
        "profile": "engineer",
        "epoch": 1,
        "read_epoch": 1,
        "restarts": 0,
        "counts": dict.fromkeys(import_commands.COUNTED, 0),
        "in_flight": [],
        "page": 0,
        "offset": 0,
        "pages": 1,
        "due_at": LATE,
        "due_shard": "1",
        **more,
    }


def test_import_does_not_overwrite_another(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    table.has(IMPORT, importing("DONE"))
    before = copy.deepcopy(table.rows)
    monkeypatch.setattr(clock, "new_id", lambda _: "01IMPORT")
    with pytest.raises(Refused):
        import_commands.create_import(table, "me", ImportRequest("links.txt", 10), "", T1)
    assert table.rows == before


def test_concurrent_resume_is_a_conflict(table: Raced, started_executions: list[str]) -> None:
    table.has(IMPORT, importing("FAILED", page=1))
    # A concurrent resume starts the import, and that start fails, too.
    table.after_read(IMPORT, lambda: table.touch(IMPORT, epoch=2))
    with pytest.raises(Conflict):
        import_commands.resume(table, "me", "01IMPORT", T1)
    assert (table.rows[IMPORT]["status"], table.rows[IMPORT]["epoch"], started_executions) == ("FAILED", 2, [])


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (import_commands.start, "READING"),
        (import_commands.resume, "RUNNING"),
        (import_commands.pause, "PAUSED"),
        (import_commands.cancel, "CANCELLED"),
    ],
    ids=["start", "resume", "pause", "cancel"],
)
def test_repeated_command_changes_nothing(
    table: Raced, started_executions: list[str], command: Any, status: str
) -> None:
    table.has(IMPORT, importing(status))
    before = copy.deepcopy(table.rows)
    assert command(table, "me", "01IMPORT", T1)["status"] == status
    assert (table.rows, started_executions) == (before, [])


def carry_on(table: Raced) -> int:
    return lines.carry_on(table, RUN, 0, 0, T1)  # type: ignore[arg-type]


def test_lines_imported_concurrently_are_counted_once(table: Raced, bucket: Bucket) -> None:
    bucket.files[PAGE] = json.dumps([{"bad": "no link"}, {"bad": "两个"}]).encode()
    table.has(IMPORT, importing("RUNNING", in_flight=["01ITEM"]))
    table.has(ITEM, item("PROCESSING", due_at=LATE))
    table.after_read(IMPORT, lambda: carry_on(table))
    with pytest.raises(LeaseLost):
        carry_on(table)
    after = table.rows[IMPORT]
    assert (after["counts"]["bad"], after["page"], after["offset"], after["version"]) == (2, 1, 0, 6)


@pytest.mark.parametrize(
    "change",
    [{"epoch": 2}, {"status": "PAUSED"}, {"status": "CANCELLED"}],
    ids=["a newer start", "paused", "cancelled"],
)
def test_superseded_import_run_imports_nothing(table: Raced, bucket: Bucket, change: Row) -> None:
    bucket.files[PAGE] = json.dumps([LINK]).encode()
    table.has(IMPORT, {**importing("RUNNING"), **change})
    before = copy.deepcopy(table.rows)
    with pytest.raises(LeaseLost):
        carry_on(table)
    assert table.rows == before


def test_waiting_import_renews_its_due_time(table: Raced, bucket: Bucket) -> None:
    """Otherwise the heartbeat treats the import as dead.

    The due time is renewed when half of it has passed.
    """
    bucket.files[PAGE] = json.dumps([]).encode()
    table.has(ITEM, item("PROCESSING", due_at=LATE))
    for due_at, written in ((clock.after(T1, 40), True), (clock.after(T1, 800), False)):
        table.has(IMPORT, importing("RUNNING", in_flight=["01ITEM"], page=1, due_at=due_at))
        carry_on(table)
        assert (table.rows[IMPORT]["due_at"] > due_at) == written
