"""Violations of the rules of the desk, in a list of their own and in the log."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.collect import collect_keys
from readdo.lifecycle.write import Write, put_new
from readdo.runtime import logger
from readdo.store import keys
from readdo.store.keys import shown
from readdo.store.table import DynamoTable

VERIFICATION_FAILED, TOO_MANY_DOCUMENTS, FIELD_MISSING = "verification_failed", "too_many_documents", "field_missing"
OUTPUT_REFUSED, OUTPUT_NOT_JSON = "output_refused", "output_not_json"
FORBIDDEN_TRANSITION = "forbidden_transition"
WARNING, ERROR = "warning", "error"
# kind → level and key of the log
_LEVELS: Mapping[str, tuple[str, str]] = {
    VERIFICATION_FAILED: (WARNING, "verification_failed"),
    TOO_MANY_DOCUMENTS: (ERROR, "too_many_documents"),
    FIELD_MISSING: (ERROR, "field_missing"),
    OUTPUT_REFUSED: (ERROR, "output_refused"),
    OUTPUT_NOT_JSON: (ERROR, "json_parse_error"),
    FORBIDDEN_TRANSITION: (ERROR, "forbidden_transition"),
}
_SHOWN = ("at", "kind", "level", "assignment_id", "batch_name", "details")
_DETAIL_MAX = 500  # characters


def violation_write(
    owner: str, kind: str, at: str, details: str, *, assignment_id: str = "", batch_name: str = ""
) -> Write:
    """Log the violation, and return the write that keeps it."""
    level, log_key = _LEVELS[kind]
    log = logger.warning if level == WARNING else logger.error
    log(log_key, extra={"assignment": assignment_id, "batch": batch_name})
    row = {"at": at, "kind": kind, "level": level, "details": details[:_DETAIL_MAX]}
    row |= {"assignment_id": assignment_id} if assignment_id else {}
    row |= {"batch_name": batch_name} if batch_name else {}
    return put_new(collect_keys.violation(owner, clock.new_id(at)), row)


def record_violation(
    table: DynamoTable, owner: str, kind: str, at: str, details: str, *, assignment_id: str = "", batch_name: str = ""
) -> None:
    table.write(violation_write(owner, kind, at, details, assignment_id=assignment_id, batch_name=batch_name))


def list_violations(table: DynamoTable, owner: str, cursor: str, limit: int) -> tuple[list[dict[str, Any]], str | None]:
    """A page, newest first. The cursor is the id of the last one."""
    start = collect_keys.violation(owner, cursor)._asdict() if cursor else None
    page = table.query(
        keys.partition(collect_keys.violations(owner)),
        between=keys.stretch(collect_keys.VIOLATION_PREFIX),
        newest_first=True,
        start=start,
        limit=limit,
    )
    following = str(page.next_key["sk"]).removeprefix(collect_keys.VIOLATION_PREFIX) if page.next_key else None
    return [shown(row, _SHOWN) for row in page.rows], following
