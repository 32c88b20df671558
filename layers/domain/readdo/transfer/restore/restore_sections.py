"""Sections of a backup after the items. A backup of an earlier release has fewer of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from readdo.store.table import DynamoTable
from readdo.transfer.restore import collect_restore, job_restore
from readdo.transfer.restore.item_restore import RestoreWrites


@dataclass(frozen=True)
class RestoreSection:
    member: str  # of the zip: one entry for each line
    counter: str  # of RestoreProgress: the lines that were read
    noted_after: int  # lines
    parse: Callable[[bytes], Any]
    name_of: Callable[[Any], str]
    exists: Callable[[DynamoTable, str, Any], bool]  # by table, owner, entry
    plan: Callable[[DynamoTable, str, Any, Any, str], RestoreWrites]  # by table, owner, entry, zip, time


SECTIONS = (
    RestoreSection(
        "jobs.jsonl",
        "job_lines",
        1,
        job_restore.job_of,
        lambda job: str(job.id),
        job_restore.job_exists,
        job_restore.plan_job,
    ),
    RestoreSection(
        "documents.jsonl",
        "document_lines",
        5,
        collect_restore.document_of,
        lambda document: str(document.path),
        collect_restore.document_exists,
        collect_restore.plan_document,
    ),
    RestoreSection(
        "assignments.jsonl",
        "assignment_lines",
        20,
        collect_restore.assignment_of,
        lambda assignment: str(assignment.id),
        collect_restore.assignment_exists,
        collect_restore.plan_assignment,
    ),
)
