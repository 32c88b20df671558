"""Restores of the Collect and Proof desks overwrite nothing that was made after they looked."""

import copy
from typing import Any

import pytest

from readdo import files
from readdo.collect import collect_keys
from readdo.lifecycle.advance import Refused, advance_all
from readdo.lifecycle.write import WriteRefused
from readdo.proof import job_keys
from readdo.transfer.restore import collect_restore, job_restore
from readdo.transfer.restore.item_restore import RestoreWrites
from support.memory import MemoryTable
from support.races import T0, T1

SEQUENCE = f"{T0}-00000-0123abcd"
ASSIGNMENT = collect_keys.assignment("me", SEQUENCE)
DOCUMENT = collect_keys.document("me", "a.md")
STORED_ASSIGNMENT: dict[str, Any] = {
    "id": "a",
    "sequence": SEQUENCE,
    "status": "pending",
    "created_at": T0,
    "fields": {"type": "content_supplement", "target_files": ["a.md"]},
    **{"attempts": 0, "continued": 0, "history": [], "tries": []},
}
STORED_DOCUMENT = {
    "path": "a.md",
    "created_at": T0,
    "versions": [{"version": n, "updated_at": T0, "file": f"{n}.md"} for n in (1, 2)],
}
JOB, PROGRESS = job_keys.job("me", "01J" + "0" * 23), job_keys.progress("me", "01J" + "0" * 23)
STORED_JOB: dict[str, Any] = {
    **{"id": "01J" + "0" * 23, "filename": "a.txt", "size": 1, "created_at": T0, "options": {"engine": "rules"}},
    "status": "uploaded/validate",
}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> MemoryTable:
    monkeypatch.setattr(files, "put_once", lambda *_: b"")
    monkeypatch.setattr(collect_restore, "read_member", lambda *_: b"# text")
    return MemoryTable()


def assignment_plan(table: Any) -> RestoreWrites:
    stored = collect_restore.StoredAssignment.model_validate(STORED_ASSIGNMENT)
    return collect_restore.plan_assignment(table, "me", stored, None, T1)


def document_plan(table: Any) -> RestoreWrites:
    stored = collect_restore.StoredDocument.model_validate(STORED_DOCUMENT)
    return collect_restore.plan_document(table, "me", stored, None, T1)


def job_plan(table: Any) -> RestoreWrites:
    return job_restore.plan_job(table, "me", job_restore.StoredJob.model_validate(STORED_JOB), None, T1)


def assert_refused_unchanged(table: MemoryTable, *steps: Any) -> None:
    before = copy.deepcopy(table.rows)
    with pytest.raises((Refused, WriteRefused)):
        advance_all(table, *steps)
    assert table.rows == before


def test_restored_assignment_replaces_no_other(table: MemoryTable) -> None:
    plan = assignment_plan(table)
    table.rows[ASSIGNMENT] = {**ASSIGNMENT._asdict(), "id": "b", "status": "done"}
    (creation,) = (step for step in plan.last if getattr(step, "machine", None))
    assert_refused_unchanged(table, creation)
    assert_refused_unchanged(table, *plan.guard)


def test_assignment_is_restored_to_a_free_place(table: MemoryTable) -> None:
    plan = assignment_plan(table)
    advance_all(table, *plan.guard)
    advance_all(table, *plan.last)
    assert table.rows[ASSIGNMENT]["status"] == "pending"


def test_older_versions_are_restored_only_without_a_document(table: MemoryTable) -> None:
    plan = document_plan(table)
    advance_all(table, *plan.beside, *plan.guard)
    table.rows[DOCUMENT] = {**DOCUMENT._asdict(), "version": 3}
    assert_refused_unchanged(table, *plan.beside, *plan.guard)


@pytest.mark.parametrize("existing", [JOB, PROGRESS])
def test_restored_job_replaces_no_other(table: MemoryTable, existing: Any) -> None:
    plan = job_plan(table)
    table.rows[existing] = {**existing._asdict(), "status": "running/process", "epoch": 4}
    assert_refused_unchanged(table, *plan.last)
