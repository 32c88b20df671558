"""Types of the rows of the Collect desk, and how they are read."""

import json
from collections.abc import Iterable
from typing import Any, NotRequired, TypedDict, cast

from readdo.collect import collect_keys
from readdo.collect.completeness import PartResult
from readdo.files import StoredJson
from readdo.lifecycle.advance import NotFound, living
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.collect_batch import BATCH
from readdo.lifecycle.write import Table
from readdo.messages import MessageFields
from readdo.store.keys import HistoryEntry, MaybeDue, StatusFields


class MissingFields(MessageFields):
    """A missing item of a document."""

    path: str


class Verification(TypedDict):
    """Of one result. Its document versions and rates are stored with the attempt."""

    batch: str
    output: str  # digest
    outcome: str


class AssignmentRow(StatusFields):
    id: str
    owner: str
    sequence: str
    created_at: str
    body: str  # JSON: the fields as given, normalized; the table has no floats
    documents: list[str]  # that it names
    warnings: list[str]
    attempts: int
    continued: int
    history: list[HistoryEntry]
    type: NotRequired[str]
    priority: NotRequired[int]
    target_count: NotRequired[int]
    queue: NotRequired[str]
    queue_at: NotRequired[str]
    batch_name: NotRequired[str]
    verified: NotRequired[Verification]
    points: NotRequired[int]  # of the last verification
    missing: NotRequired[list[MissingFields]]
    reason: NotRequired[str]
    requires_permission: NotRequired[bool]
    error: NotRequired[str]
    errors: NotRequired[list[str]]  # found at a pick
    extras: NotRequired[list[str]]  # documents beyond its list, of an applied output
    milliseconds: NotRequired[int]  # of all attempts with a result
    results: NotRequired[int]  # number of these attempts


class AttemptRow(StoredJson):
    """`payload` has what the worker claimed."""

    batch_name: str
    attempt: int
    picked_at: str
    result_at: NotRequired[str]
    reported: NotRequired[str]  # status from the worker
    to: NotRequired[str]
    passed: NotRequired[bool]
    points: NotRequired[int]
    documents: NotRequired[list[dict[str, Any]]]  # path, version and points of each
    missing: NotRequired[list[MissingFields]]


class BatchRow(MaybeDue, StatusFields):
    batch_name: str
    owner: str
    created_at: str
    worker: str
    ids: list[str]
    sequences: list[str]  # of the assignments, in the same order
    history: list[HistoryEntry]
    deadline: NotRequired[str]
    output: NotRequired[str]  # digest
    processed_at: NotRequired[str]
    faults: NotRequired[list[dict[str, str]]]  # of the last refused output
    failure: NotRequired[dict[str, Any]]


class DocumentRow(TypedDict, total=False):
    """A document of the library, or a path that an assignment names and that has no document yet."""

    id: str  # the path
    owner: str
    changes: int
    named: int  # assignments that name it, without skipped ones
    extra: int  # assignments whose output created it beyond their list
    version: int
    created_at: str
    updated_at: str
    sha256: str
    bytes: int
    points: int
    parts: dict[str, PartResult]
    rules_version: str
    checked_at: str
    text_digest: str
    settings: str


def find_assignment(table: Table, owner: str, name: str, trigger: str = "look") -> AssignmentRow:
    place = table.get(collect_keys.assignment_id(owner, name))
    row = table.get(collect_keys.assignment(owner, place["sequence"])) if place else None
    if row is None:
        raise NotFound(ASSIGNMENT, trigger, None)
    return cast("AssignmentRow", row)


def find_batch(table: Table, owner: str, name: str, trigger: str = "look") -> BatchRow:
    row = living(table.get(collect_keys.batch(owner, name)))
    if row is None:
        raise NotFound(BATCH, trigger, None)
    return cast("BatchRow", row)


def fields_of(row: AssignmentRow) -> dict[str, Any]:
    """The fields as given, normalized."""
    fields: dict[str, Any] = json.loads(row["body"])
    return fields


def rows_by_id(rows: Iterable[dict[str, Any]]) -> dict[str, DocumentRow]:
    return {row["id"]: cast("DocumentRow", row) for row in rows}
