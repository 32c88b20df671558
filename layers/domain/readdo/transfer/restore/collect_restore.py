"""Restore documents and assignments of a backup. What exists already is never changed."""

import json
from typing import Annotated, Any, Literal, cast

from pydantic import Field, StringConstraints

from readdo import files
from readdo.collect import collect_keys, document_library
from readdo.collect.assignment_creation import creation_writes
from readdo.collect.assignment_queue import queue_fields
from readdo.collect.assignment_validation import REASON_MAX, CheckedAssignment, check_assignment
from readdo.collect.completeness import check_document
from readdo.collect.document_library import section_names
from readdo.collect.document_paths import PATH_BYTES, is_document_path
from readdo.collect.rows import DocumentRow
from readdo.lifecycle.advance import create
from readdo.lifecycle.assignment import ASSIGNMENT, DONE, IN_PROGRESS, PENDING
from readdo.lifecycle.write import ABSENT, Missing, Write
from readdo.messages import message
from readdo.store.table import DynamoTable
from readdo.transfer.restore.backup_lines import BackupLine, BadBackupLine, Count, Entry, Time, Word, parse_line
from readdo.transfer.restore.item_restore import WHO, RestoreWrites
from readdo.transfer.restore.zip_reader import read_member

_VERSIONS_MAX, _TRIES_MAX, _MISSING_MAX = 1_000, 1_000, 200
_OF_TRY = ("batch_name", "attempt", "picked_at", "result_at", "reported", "to", "passed", "points")
DocumentPath = Annotated[str, StringConstraints(max_length=PATH_BYTES)]
Reason = Annotated[str, StringConstraints(max_length=REASON_MAX)]
Points = Annotated[int, Field(ge=0, le=3_000)]
BatchName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class StoredVersion(BackupLine):
    version: Annotated[int, Field(ge=1, le=99_999_999)]
    updated_at: Time
    file: Annotated[str, StringConstraints(max_length=PATH_BYTES + 100)]


class StoredDocument(BackupLine):
    path: DocumentPath
    created_at: Time
    versions: Annotated[list[StoredVersion], Field(min_length=1, max_length=_VERSIONS_MAX)]


class StoredMissing(BackupLine):
    path: DocumentPath
    message_key: Word
    params: Annotated[dict[Word, int | DocumentPath], Field(max_length=10)] | None = None


class StoredEvidence(BackupLine):
    path: DocumentPath
    version: Count
    points: Points


class StoredTry(BackupLine):
    batch_name: BatchName
    attempt: Count
    picked_at: Time
    result_at: Time | None = None
    reported: Word | None = None
    to: Word | None = None
    passed: bool | None = None
    points: Points | None = None
    documents: Annotated[list[StoredEvidence], Field(max_length=100)] | None = None
    missing: Annotated[list[StoredMissing], Field(max_length=_MISSING_MAX)] | None = None
    claimed: dict[str, Any] | None = None


class StoredAssignment(BackupLine):
    id: Annotated[str, StringConstraints(max_length=128)]
    sequence: Annotated[str, StringConstraints(pattern=r"^[0-9TZ:.-]{24}-\d{5}-[0-9a-f]{8}$")]
    status: Literal["pending", "in_progress", "partial", "done", "failed", "skipped"]
    created_at: Time
    fields: dict[str, Any]
    attempts: Count
    continued: Count
    points: Points | None = None
    missing: Annotated[list[StoredMissing], Field(max_length=_MISSING_MAX)] | None = None
    reason: Reason | None = None
    error: Reason | None = None
    extras: Annotated[list[DocumentPath], Field(max_length=5)] | None = None
    milliseconds: Count | None = None
    results: Count | None = None
    requires_permission: bool | None = None
    history: Annotated[list[Entry], Field(max_length=1_000)]
    tries: Annotated[list[StoredTry], Field(max_length=_TRIES_MAX)]


def document_of(line: bytes) -> StoredDocument:
    return parse_line(StoredDocument, line)


def assignment_of(line: bytes) -> StoredAssignment:
    return parse_line(StoredAssignment, line)


def document_exists(table: DynamoTable, owner: str, document: StoredDocument) -> bool:
    return "version" in (table.get(collect_keys.document(owner, document.path)) or {})


def assignment_exists(table: DynamoTable, owner: str, assignment: StoredAssignment) -> bool:
    return table.get(collect_keys.assignment_id(owner, assignment.id)) is not None


def plan_document(table: DynamoTable, owner: str, document: StoredDocument, zipped: Any, _: str) -> RestoreWrites:
    """Each version is checked again, by the rules of today."""
    if not is_document_path(document.path):
        raise BadBackupLine(message("restore_line.place_wrong", place="path"))
    versions = sorted(document.versions, key=lambda version: version.version)
    if len({version.version for version in versions}) < len(versions):
        raise BadBackupLine(message("restore_line.place_wrong", place="versions"))
    fields = [_version_fields(owner, version, zipped) for version in versions]
    is_free = Write(collect_keys.document(owner, document.path), "check", condition=Missing("version"))
    older = [
        Write(
            collect_keys.version(owner, document.path, one["version"]),
            "put",
            row=document_library.version_row(document.path, one),
        )
        for one in fields[:-1]
    ]
    stored = table.get(collect_keys.document(owner, document.path))
    row = cast("DocumentRow", stored) if stored else None
    last = document_library.version_writes(owner, document.path, row, fields[-1], document.created_at)
    return RestoreWrites(older, list(last), (is_free,))


def _version_fields(owner: str, version: StoredVersion, zipped: Any) -> dict[str, Any]:
    body = read_member(zipped, version.file, document_library.DOCUMENT_BYTES)
    try:
        content = (body or b"").decode()
    except UnicodeDecodeError:
        body = None
    if body is None:
        raise BadBackupLine(message("restore_line.text_missing"))
    sha256 = files.sha256(body)
    document_library.store_content(owner, sha256, body)
    check = document_library.check_fields(check_document(content, section_names()), version.updated_at)
    return {
        "version": version.version,
        "updated_at": version.updated_at,
        "sha256": sha256,
        "bytes": len(body),
        **check,
    }


def plan_assignment(table: DynamoTable, owner: str, stored: StoredAssignment, _: Any, at: str) -> RestoreWrites:
    """Restore one in progress as pending. One that is done needs an attempt that has passed."""
    checked = _checked(stored)
    status = PENDING if stored.status == IN_PROGRESS else stored.status
    if status == DONE and not any(attempt.passed for attempt in stored.tries):
        raise BadBackupLine(message("restore_line.place_wrong", place="tries"))
    row: dict[str, Any] = {
        "id": stored.id,
        "owner": owner,
        "sequence": stored.sequence,
        "created_at": stored.created_at,
        "body": json.dumps(checked.fields, ensure_ascii=False, sort_keys=True),
        "documents": checked.documents,
        "warnings": checked.warnings,
        "attempts": stored.attempts,
        "continued": stored.continued,
        **{name: checked.fields[name] for name in ("type", "priority", "target_count") if name in checked.fields},
        **stored.model_dump(
            include={"points", "missing", "reason", "error", "extras", "milliseconds", "results"}, exclude_none=True
        ),
        **({"requires_permission": True} if stored.requires_permission else {}),
        **({"batch_name": stored.tries[-1].batch_name} if stored.tries else {}),
    }
    placed = {**row, **queue_fields(row, status)}
    past = [entry.model_dump(exclude_none=True) for entry in stored.history], len(stored.history) + 1
    key = collect_keys.assignment(owner, stored.sequence)
    created = create(ASSIGNMENT, f"restore_{status}", key, placed, who=WHO, at=at, past=past)
    attempts = [_attempt(owner, stored.sequence, attempt) for attempt in stored.tries]
    is_free = Write(collect_keys.assignment(owner, stored.sequence), "check", condition=ABSENT)
    return RestoreWrites(attempts, creation_writes(table, owner, [created]), (is_free,))


def _checked(stored: StoredAssignment) -> CheckedAssignment:
    """The fields, checked as those of a request."""
    given = {name: value for name, value in stored.fields.items() if name not in ("extra", "split_from")}
    extra = stored.fields.get("extra")
    skipped = {"status": "skipped"} if given.get("requires_permission") else {}
    checked = check_assignment({**(extra if isinstance(extra, dict) else {}), **given, **skipped, "id": stored.id})
    if checked.errors or checked.id != stored.id:
        place = checked.errors[0][0] if checked.errors else "id"
        raise BadBackupLine(message("restore_line.place_wrong", place=f"fields.{place}"[:120]))
    if isinstance(stored.fields.get("split_from"), str):
        checked.fields["split_from"] = stored.fields["split_from"][:128]
    return checked


def _attempt(owner: str, sequence: str, attempt: StoredTry) -> Write:
    row = attempt.model_dump(exclude={"claimed"}, exclude_none=True)
    if attempt.claimed is not None:
        place = f"collect/{owner}/claims/{sequence}/{attempt.batch_name}.json"
        row |= files.store_json(place, attempt.claimed)
    return Write(collect_keys.attempt(owner, sequence, attempt.batch_name), "put", row=row)
