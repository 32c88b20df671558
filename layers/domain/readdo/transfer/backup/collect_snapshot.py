"""Snapshots of a document with its versions, and of an assignment with its attempts."""

from typing import Any, cast

from readdo.clock import digest
from readdo.collect import collect_keys
from readdo.collect.rows import AssignmentRow, AttemptRow, DocumentRow, fields_of
from readdo.files import read_json
from readdo.store import keys
from readdo.store.keys import shown
from readdo.store.table import DynamoTable

_OF_ASSIGNMENT = (
    *("id", "sequence", "status", "created_at", "attempts", "continued", "points", "missing", "reason", "error"),
    *("extras", "milliseconds", "results", "requires_permission", "history"),
)
_OF_ATTEMPT = (
    *("batch_name", "attempt", "picked_at", "result_at", "reported", "to", "passed", "points", "documents", "missing"),
)


def snapshot_document(table: DynamoTable, stored: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The line of a document, and its files: path in the zip, name in the bucket."""
    row = cast("DocumentRow", stored)
    owner, path = row["owner"], row["id"]
    versions: list[dict[str, Any]] = []
    contents: list[tuple[str, str]] = []
    prefix = keys.stretch(collect_keys.VERSION_PREFIX)
    for version in table.query_all(keys.partition(collect_keys.versions(owner, path)), prefix):
        number = version["version"]
        if number > row["version"]:
            break  # written after the document was read
        is_newest = number == row["version"]
        file = f"documents/{path}" if is_newest else f"document-versions/{digest(path)}/{number}.md"
        versions.append({"version": number, "updated_at": version["updated_at"], "file": file})
        contents.append((file, collect_keys.content(owner, version["sha256"])))
    return {"path": path, "created_at": row["created_at"], "versions": versions}, contents


def snapshot_assignment(table: DynamoTable, stored: dict[str, Any]) -> dict[str, Any]:
    row = cast("AssignmentRow", stored)
    where = keys.partition(collect_keys.attempts(row["owner"], row["sequence"]))
    attempts = []
    for found in table.query_all(where, keys.stretch(collect_keys.ATTEMPT_PREFIX)):
        attempt = cast("AttemptRow", found)
        has_claim = "payload" in attempt or "payload_at" in attempt
        claimed = {"claimed": read_json(attempt)} if has_claim else {}
        attempts.append({**shown(attempt, _OF_ATTEMPT), **claimed})
    return {**shown(row, _OF_ASSIGNMENT), "fields": fields_of(row), "tries": attempts}
