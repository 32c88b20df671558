"""Figures of the Collect desk: counters, rates and warnings. The cost does not grow with the pool."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from readdo.collect import collect_keys
from readdo.collect.completeness import COMPLETE, PARTIAL, WHOLE, status_of
from readdo.lifecycle import assignment as states
from readdo.lifecycle.write import Exists
from readdo.messages import Message, message, stored_fields
from readdo.store.counters import Recount, RowCounters
from readdo.store.table import DynamoTable

STATES = (states.PENDING, states.IN_PROGRESS, states.PARTIAL, states.DONE, states.FAILED, states.SKIPPED)
_OF_ASSIGNMENTS = (*STATES, "open_targets", "milliseconds", "results")
_OF_DOCUMENTS = ("target_count", "created_count", "complete_count", "partial_count", "points")
_COUNT_OF = {COMPLETE: "complete_count", PARTIAL: "partial_count"}
# code → the value above which it warns
LIMITS: Mapping[str, float] = {"partial": 10, "pending": 20, "processing_time": 3600, "failure_rate": 0.05}


_WARNINGS: Mapping[str, str] = {
    "partial": "collect.warning_partial",
    "pending": "collect.warning_pending",
    "processing_time": "collect.warning_processing_time",
    "failure_rate": "collect.warning_failure_rate",
}


def _figures_of_assignment(row: Mapping[str, Any]) -> Counter[str]:
    figures = Counter({row["status"]: 1, "milliseconds": row.get("milliseconds", 0), "results": row.get("results", 0)})
    if row["status"] != states.SKIPPED:
        figures["open_targets"] = open_targets(row)
    return figures


def open_targets(row: Mapping[str, Any]) -> int:
    """The documents that the assignment wants beyond those that it names."""
    return max(0, int(row.get("target_count", 0)) - len(row["documents"]))


def _figures_of_document(row: Mapping[str, Any]) -> Counter[str]:
    is_named, exists = row.get("named", 0) > 0, "version" in row
    figures = Counter({"target_count": int(is_named)})
    if exists and (is_named or row.get("extra", 0) > 0):
        figures.update({"created_count": 1, "points": row["points"]})
        if status := _COUNT_OF.get(status_of(row["points"])):
            figures[status] = 1
    return figures


ASSIGNMENT_FIGURES = RowCounters(
    {name: name if name not in STATES else f"in_{name}" for name in _OF_ASSIGNMENTS},
    _figures_of_assignment,
    collect_keys.assignment_figures,
    collect_keys.ASSIGNMENT_FIGURES,
    collect_keys.pool,
    collect_keys.ASSIGNMENT_PREFIX,
)
DOCUMENT_FIGURES = RowCounters(
    {name: name for name in _OF_DOCUMENTS},
    _figures_of_document,
    collect_keys.document_figures,
    collect_keys.DOCUMENT_FIGURES,
    collect_keys.library,
    collect_keys.DOCUMENT_PREFIX,
    Exists("changes"),
)


def stats(table: DynamoTable, owner: str) -> dict[str, Any]:
    counted = ASSIGNMENT_FIGURES.read(table, owner)
    documents = DOCUMENT_FIGURES.read(table, owner)
    total = sum(counted[state] for state in STATES)
    target = documents["target_count"] + counted["open_targets"]
    return {
        "tasks": {
            "total_tasks": total,
            **{state: counted[state] for state in STATES},
            "completion_rate": _rate(counted[states.DONE], total),
        },
        "documents": {
            "target_count": target,
            "created_count": documents["created_count"],
            "complete_count": documents["complete_count"],
            "partial_count": documents["partial_count"],
            "collection_rate": _rate(documents["created_count"], target),
            "avg_completion_rate": _rate(documents["points"], documents["created_count"] * WHOLE),
        },
        "warnings": [_warning(code, value) for code, value in _exceeded(counted)],
    }


def recount(table: DynamoTable, owner: str) -> Recount:
    """Count assignments and documents again, and correct the counters."""
    first = ASSIGNMENT_FIGURES.recount(table, owner)
    second = DOCUMENT_FIGURES.recount(table, owner)
    return Recount({**first.counted, **second.counted}, {**first.drift, **second.drift})


def _rate(part: int, whole: int) -> float | None:
    """Four digits, rounded down. None over nothing."""
    return part * 10_000 // whole / 10_000 if whole else None


def _exceeded(counted: Counter[str]) -> list[tuple[str, float]]:
    ended = counted[states.DONE] + counted[states.PARTIAL] + counted[states.FAILED]
    # Compared before any rounding.
    values: dict[str, float] = {
        "partial": counted[states.PARTIAL],
        "pending": counted[states.PENDING],
        "processing_time": counted["milliseconds"] / counted["results"] / 1000 if counted["results"] else 0,
        "failure_rate": counted[states.FAILED] / ended if ended else 0,
    }
    return [(code, value) for code, value in values.items() if value > LIMITS[code]]


def _warning(code: str, value: float) -> dict[str, Any]:
    rounded = int(value) if isinstance(value, int) else int(value * 10_000) / 10_000
    text: Message = message(_WARNINGS[code], value=rounded, limit=LIMITS[code])
    return {"code": code, "value": rounded, "limit": LIMITS[code], "message": text, **stored_fields(text)}
