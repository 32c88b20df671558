"""Public views of assignments, attempts, batches and documents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from readdo.collect.completeness import missing_items, rate_of, status_of
from readdo.collect.rows import AssignmentRow, AttemptRow, BatchRow, DocumentRow, fields_of
from readdo.files import read_json
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.state_machine import USER
from readdo.messages import translate
from readdo.store.keys import shown

_GIVEN_BY_DEFAULT: Mapping[str, Any] = {"type": None, "title": None, "priority": None, "requires_permission": False}
_ACTIONS = ("skip", "retry", "continue")
_OF_BATCH = ("batch_name", "status", "worker", "created_at", "updated_at", "deadline", "processed_at", "ids", "failure")


def assignment(row: AssignmentRow, language: str = "en") -> dict[str, Any]:
    """The fields as given, and those of its state."""
    fields = fields_of(row)
    points = row.get("points")
    return {
        **_GIVEN_BY_DEFAULT,
        **fields,
        "id": row["id"],
        "status": row["status"],
        "version": row["version"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "batch_name": row.get("batch_name"),
        "attempts": row["attempts"],
        "continued": row["continued"],
        "completion_rate": None if points is None else rate_of(points),
        "missing_items": sentences(row.get("missing", ()), language),
        "reason": row.get("reason", fields.get("reason")),
        "error": row.get("error"),
        "split_from": fields.get("split_from"),
        "resumes": fields.get("resumes"),
        "extra": fields.get("extra", {}),
        "warnings": [*row["warnings"], *row.get("errors", ())],
        **({"requires_permission": True} if row.get("requires_permission") else {}),
    }


def sentences(missing: Iterable[Mapping[str, Any]], language: str = "en") -> list[str]:
    """The missing items, each with its document."""
    found = ((item.get("path", ""), translate(item, language)) for item in missing)
    return [f"{path}: {text}" if path else text for path, text in found]


def available(row: AssignmentRow) -> list[dict[str, str]]:
    opened = ASSIGNMENT.open_to(USER, row)
    path = f"/assignments/{quote(row['id'], safe='')}"
    return [{"action": name, "method": "POST", "path": f"{path}/{name}"} for name in _ACTIONS if name in opened]


def attempt(row: AttemptRow, language: str = "en") -> dict[str, Any]:
    verified = None
    if "points" in row:
        documents = [
            {"path": one["path"], "version": one["version"] or None, "completion_rate": rate_of(one["points"])}
            for one in row.get("documents", ())
        ]
        verified = {
            "passed": row.get("passed", False),
            "completion_rate": rate_of(row["points"]),
            "missing_items": sentences(row.get("missing", ()), language),
            "documents": documents,
        }
    return {
        "batch_name": row["batch_name"],
        "picked_at": row["picked_at"],
        "result_at": row.get("result_at"),
        "said": row.get("reported"),
        "claimed": read_json(row) if "payload" in row or "payload_at" in row else None,
        "verified": verified,
    }


def batch(row: BatchRow) -> dict[str, Any]:
    return {**dict.fromkeys(("deadline", "processed_at")), **shown(row, _OF_BATCH)}


def document(row: DocumentRow) -> dict[str, Any]:
    return {
        "path": row["id"],
        "version": row["version"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "bytes": row["bytes"],
        **_rating(row),
        "rules_version": row["rules_version"],
    }


def listed_document(row: DocumentRow) -> dict[str, Any]:
    return {"path": row["id"], "version": row["version"], "updated_at": row["updated_at"], **_rating(row)}


def _rating(row: DocumentRow) -> dict[str, Any]:
    return {"completion_rate": rate_of(row["points"]), "status": status_of(row["points"])}


def completeness(row: DocumentRow) -> dict[str, Any]:
    return {
        **_rating(row),
        "parts": row["parts"],
        "missing_items": [str(text) for text in missing_items(row["parts"])],
        "rules_version": row["rules_version"],
        "checked_at": row["checked_at"],
    }


def history(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [shown(entry, ("at", "by", "what", "to")) for entry in entries]
