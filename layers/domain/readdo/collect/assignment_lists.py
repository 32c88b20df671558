"""Lists and details of assignments and batches."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from readdo.collect import collect_keys, views
from readdo.collect.document_names import read_documents
from readdo.collect.rows import AssignmentRow, AttemptRow, BatchRow, find_assignment
from readdo.errors import BadCursor
from readdo.lifecycle.write import AnyOf, Clause, Compare, Exists, Key, OneOf, both
from readdo.store import keys
from readdo.store.table import DynamoTable

_CURSORS = {
    collect_keys.ASSIGNMENT_PREFIX: re.compile(r"[0-9T:.-]{23}Z-[0-9]{5}-[0-9a-f]{8}"),
    collect_keys.BATCH_PREFIX: re.compile(r"batch_[0-9A-Z]{26}"),
}
_PAGES_MAX = 20  # of the table, for one page with a rare filter


def list_assignments(
    table: DynamoTable, owner: str, filters: Mapping[str, Sequence[str]], cursor: str, limit: int
) -> tuple[list[AssignmentRow], str | None]:
    """A page, oldest first. The cursor is the sequence of the last one."""
    priorities = tuple(Compare("priority", "=", int(value)) for value in filters["priority"])
    clauses: list[Clause] = [OneOf(name, tuple(values)) for name, values in _texts(filters).items() if values]
    clauses += [AnyOf(priorities)] if priorities else []
    prefix = collect_keys.ASSIGNMENT_PREFIX
    rows, after = _page(table, owner, prefix, both(*clauses) if clauses else None, cursor, limit)
    return [cast("AssignmentRow", row) for row in rows], after


def _texts(filters: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    return {"status": filters["status"], "type": filters["type"], "batch_name": filters["batch"]}


def list_batches(
    table: DynamoTable, owner: str, statuses: Sequence[str], cursor: str, limit: int
) -> tuple[list[BatchRow], str | None]:
    """A page, newest first. The cursor is the name of the last one."""
    only: Clause = OneOf("status", tuple(statuses)) if statuses else Exists("status")
    rows, after = _page(table, owner, collect_keys.BATCH_PREFIX, only, cursor, limit, newest_first=True)
    return [cast("BatchRow", row) for row in rows], after


def _page(
    table: DynamoTable,
    owner: str,
    prefix: str,
    only: Clause | None,
    cursor: str,
    limit: int,
    *,
    newest_first: bool = False,
) -> tuple[list[dict[str, Any]], str | None]:
    if cursor and not _CURSORS[prefix].fullmatch(cursor):
        raise BadCursor
    start: dict[str, Any] | None = Key(collect_keys.pool(owner), f"{prefix}{cursor}")._asdict() if cursor else None
    found: list[dict[str, Any]] = []
    for _ in range(_PAGES_MAX):
        page = table.query(
            keys.partition(collect_keys.pool(owner)),
            between=keys.stretch(prefix),
            newest_first=newest_first,
            start=start,
            limit=limit if only is None else max(limit, 100),
            only=only,
        )
        found += page.rows
        start = page.next_key
        if start is None or len(found) >= limit:
            break
    if len(found) > limit:
        return found[:limit], str(found[limit - 1]["sk"]).removeprefix(prefix)
    return found, str(start["sk"]).removeprefix(prefix) if start else None


def resumed_by(table: DynamoTable, owner: str, names: Sequence[str]) -> dict[str, str]:
    """Find skipped assignments that are resumed: id → id of the newest assignment that resumes it."""
    rows = table.get_all(collect_keys.resumed(owner, name) for name in names)
    return {str(row["id"]): str(row["by"]) for row in rows}


def assignment_detail(table: DynamoTable, owner: str, name: str, language: str = "en") -> dict[str, Any]:
    row = find_assignment(table, owner, name)
    where = keys.partition(collect_keys.attempts(owner, row["sequence"]))
    attempts = [
        cast("AttemptRow", found) for found in table.query_all(where, keys.stretch(collect_keys.ATTEMPT_PREFIX))
    ]
    verified = [one["path"] for attempt in attempts[-1:] for one in attempt.get("documents", ())]
    paths = dict.fromkeys([*row["documents"], *row.get("extras", ()), *verified])
    documents = read_documents(table, owner, paths)
    return {
        "assignment": views.assignment(row, language),
        "history": views.history(row["history"]),
        "attempts": [views.attempt(attempt, language) for attempt in attempts],
        "documents": [
            views.listed_document(documents[path])
            if path in documents and "version" in documents[path]
            else {"path": path, "version": None, "updated_at": None, "completion_rate": None, "status": None}
            for path in paths
        ],
        "available_actions": views.available(row),
    }
