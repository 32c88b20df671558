"""Examples of the Collect desk, rendered by the real views."""

import json
from typing import Any, cast

from readdo.collect import views
from readdo.collect.assignment_validation import check_assignment
from readdo.collect.completeness import check_document
from readdo.collect.rows import AssignmentRow, AttemptRow, BatchRow, DocumentRow
from readdo.messages import message, stored_fields

Named = dict[str, Any]
BATCH_NAME = "batch_01KA4ZF0Q2M6V3T9R5W7X1Y0BD"
PATH = "talks/2025/netcode.md"
_AT = "2026-11-20T09:4{}:00.120Z"
_GIVEN = {"id": "gdc-17", "type": "content_supplement", "target_files": [PATH], "priority": 1, "title": "Netcode"}
_CREATE = {
    "id": "gdc-18",
    "type": "create_document",
    "document_list": [{"title": "过场动画的节奏", "file": "talks/2025/pacing.md"}],
}
_SKIPPED = {
    **{"id": "gdc-19", "type": "content_supplement", "requires_permission": True, "status": "skipped"},
    "reason": "需要 GDC Vault 账号",
}
DOCUMENT = """---
title: Netcode
speaker: M. Chen
year: 2025
source: GDC
language: en
---
# Netcode

## Resources
- https://www.gdcvault.com/play/1035404

## Summary
The talk shows how the team moved a shooter from lockstep to rollback, and what the players noticed of it in the end.

## Details
"""
_CHECK = check_document(DOCUMENT)


def _assignment(given: dict[str, Any], status: str, version: int, **more: Any) -> AssignmentRow:
    checked = check_assignment(given)
    row = {"id": checked.id, "owner": "me", "sequence": "1", "status": status, "version": version}
    row |= {"created_at": _AT.format(0), "updated_at": _AT.format(min(version, 9)), "documents": checked.documents}
    row |= {"body": json.dumps(checked.fields), "warnings": checked.warnings, "attempts": 0, "continued": 0}
    return cast("AssignmentRow", {**row, **more})


PENDING = _assignment(_GIVEN, "pending", 1)
_CREATED = _assignment(_CREATE, "pending", 1)
_WAITS = _assignment(_SKIPPED, "skipped", 1, reason=_SKIPPED["reason"])
_MISSING = {"path": PATH, **stored_fields(message("collect.missing_details", have=0, need=200))}
_PICKED: dict[str, Any] = {"batch_name": BATCH_NAME, "attempts": 1}
_PARTIAL = _assignment(_GIVEN, "partial", 3, **_PICKED, points=_CHECK["points"], missing=[_MISSING])
DONE = _assignment(_GIVEN, "done", 4, **_PICKED, points=3000, missing=[])
_ATTEMPT = cast(
    "AttemptRow",
    {
        **{"batch_name": BATCH_NAME, "attempt": 1, "picked_at": _AT.format(1), "result_at": _AT.format(3)},
        **{"reported": "success", "to": "partial", "payload": '{"completion_rate": 0.95}', "passed": False},
        **{"points": _CHECK["points"], "missing": [_MISSING]},
        "documents": [{"path": PATH, "version": 1, "points": _CHECK["points"]}],
    },
)
_ROW = cast(
    "DocumentRow",
    {
        **{"id": PATH, "owner": "me", "version": 1, "created_at": _AT.format(2), "updated_at": _AT.format(2)},
        **{"bytes": len(DOCUMENT), "sha256": "5e" * 32, "checked_at": _AT.format(2), **_CHECK},
    },
)


def _batch(status: str, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "batch_name": BATCH_NAME,
        "owner": "me",
        "status": status,
        "worker": "file",
        "created_at": _AT.format(1),
    }
    row |= {"updated_at": _AT.format(1), "ids": ["gdc-17"], "deadline": "2026-11-20T10:41:00.120Z"}
    return views.batch(cast("BatchRow", {**row, **more}))


_OPEN, _APPLIED = _batch("open"), _batch("applied", processed_at="2026-11-20T09:42:58Z")
_MOVED: dict[str, Any] = {"id": "gdc-17", "from": "in_progress", "to": "partial", "completion_rate": 0.8}
_MOVED |= {"missing_items": views.sentences([_MISSING])}
_NONE = dict.fromkeys(("partial", "pending", "failed", "skipped"), 0)
OUTPUT: dict[str, Any] = {
    **{"batch_name": BATCH_NAME, "processed_at": "2026-11-20T09:42:58Z"},
    "results": [{"id": "gdc-17", "status": "success", "result": {"completion_rate": 0.95}}],
    "summary": {"total": 1, "success": 1, **_NONE},
}
REQUESTS: dict[str, Named] = {
    "addAssignments": {"one": _GIVEN, "多个": [_CREATE, _SKIPPED]},
    "validateAssignments": {"a list": [_GIVEN, {"type": "url"}]},
    "expandSchedule": {"a schedule": {"schedule_url": "https://schedule.gdconf.com/"}},
    "skipAssignment": {"a permission": {"reason": "需要 GDC Vault 账号"}},
    "retryAssignment": {"empty body": {}},
    "continueAssignment": {"empty body": {}},
    "pickBatch": {"empty body": {}},
    "putOutput": {"one result": OUTPUT},
    "putDocument": {"a document": {"content": DOCUMENT}},
    "recountCollect": {"empty body": {}},
}
_TALKS = {"Rendering at scale": "https://schedule.gdconf.com/1", "实时渲染": "https://schedule.gdconf.com/2"}
PROPOSED = {
    "document_list": [{"title": t, "file": f"{t.replace(' ', '-')}.md", "url": url} for t, url in _TALKS.items()]
}
_TASKS = {"total_tasks": 3, "pending": 1, "in_progress": 0, "partial": 1, "done": 0, "failed": 0, "skipped": 1}
_DOCUMENTS = {"target_count": 2, "created_count": 1, "complete_count": 0, "partial_count": 1}
_STATS = {
    "tasks": {**_TASKS, "completion_rate": 0.0},
    "documents": {**_DOCUMENTS, "collection_rate": 0.5, "avg_completion_rate": 0.8},
}
_PENDING_TEXT = message("collect.warning_pending", value=21, limit=20)
_WARNING = {"code": "pending", "value": 21, "limit": 20, "message": _PENDING_TEXT, **stored_fields(_PENDING_TEXT)}
_WRONG = check_assignment({"type": "url"}).view()
CHECKED: dict[str, Any] = {"results": [check_assignment(_GIVEN).view(), _WRONG], "valid": 1, "invalid": 1}


def _answer(row: AssignmentRow) -> dict[str, Any]:
    return {"assignment": views.assignment(row), "available_actions": views.available(row)}


_HISTORY = [
    {"at": _AT.format(0), "by": "user", "what": "create", "to": "pending"},
    {"at": _AT.format(1), "by": "orchestrator", "what": "pick", "to": "in_progress"},
    {"at": _AT.format(3), "by": "orchestrator", "what": "finish_in_part", "to": "partial"},
]
ANSWERS: dict[tuple[str, int], Named] = {
    ("addAssignments", 201): {"created": {"assignments": [views.assignment(_CREATED)], "errors": []}},
    ("addAssignments", 200): {"the same again": {"assignments": [views.assignment(PENDING)], "errors": []}},
    ("validateAssignments", 200): {"one is wrong": CHECKED},
    ("expandSchedule", 200): {"two talks": PROPOSED},
    ("listAssignments", 200): {
        "two": {"assignments": [views.assignment(r) for r in (PENDING, _WAITS)], "next_cursor": None}
    },
    ("getAssignment", 200): {
        "partial": {
            **_answer(_PARTIAL),
            "history": _HISTORY,
            "attempts": [views.attempt(_ATTEMPT)],
            "documents": [views.listed_document(_ROW)],
        }
    },
    ("skipAssignment", 200): {"skipped": _answer(_WAITS)},
    ("retryAssignment", 200): {"pending": _answer(PENDING)},
    ("continueAssignment", 200): {"pending": _answer(PENDING)},
    ("pickBatch", 201): {"open": {"batch": _OPEN}},
    ("listBatches", 200): {"one": {"batches": [_OPEN], "next_cursor": None}},
    ("getBatch", 200): {"applied": {"batch": _APPLIED, "moved": [_MOVED], "faults": []}},
    ("getInput", 200): {
        "one assignment": {
            "batch_name": BATCH_NAME,
            "created_at": _AT.format(1),
            "tasks": [views.assignment(_assignment(_GIVEN, "in_progress", 2, **_PICKED))],
        }
    },
    ("getBatchOutput", 200): {"one result": OUTPUT},
    ("putOutput", 200): {"verification failed": {"batch": _APPLIED, "moved": [_MOVED]}},
    ("putOutput", 202): {"in progress": {"batch": _batch("applying"), "moved": []}},
    ("listDocuments", 200): {"one": {"documents": [views.listed_document(_ROW)], "next_cursor": None}},
    ("putDocument", 201): {"new": {"document": views.document(_ROW)}},
    ("putDocument", 200): {"changed": {"document": {**views.document(_ROW), "version": 2}}},
    ("getDocument", 200): {"a document": {"document": views.document(_ROW), "content": DOCUMENT}},
    ("getCompleteness", 200): {"partial": views.completeness(_ROW)},
    ("getCollectStats", 200): {"figures": {**_STATS, "warnings": []}, "warning": {**_STATS, "warnings": [_WARNING]}},
    ("recountCollect", 200): {"no drift": {"counted": {"pending": 1, "target_count": 2}, "drift": {}}},
    ("listViolations", 200): {
        "one": {
            "violations": [
                {
                    **{"at": _AT.format(3), "kind": "verification_failed", "level": "warning"},
                    **{"assignment_id": "gdc-17", "batch_name": BATCH_NAME},
                    "details": " ".join(views.sentences([_MISSING])),
                }
            ],
            "next_cursor": None,
        }
    },
}
