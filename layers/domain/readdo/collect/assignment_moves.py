"""Moves of assignments, with their place in the queue, their documents and the figures."""

from collections.abc import Mapping
from typing import Any

from readdo.collect import collect_keys
from readdo.collect.assignment_queue import NOT_QUEUED, queue_fields
from readdo.collect.document_names import merge_counts, name_documents, read_documents
from readdo.collect.figures import ASSIGNMENT_FIGURES
from readdo.collect.rows import AssignmentRow
from readdo.lifecycle.advance import Change, Move, move
from readdo.lifecycle.assignment import ASSIGNMENT, SKIPPED
from readdo.lifecycle.state_machine import STAYS
from readdo.lifecycle.write import Clause, Write, apply_write
from readdo.store.table import DynamoTable


def move_assignment(
    row: AssignmentRow,
    trigger: str,
    *,
    who: str,
    at: str,
    sets: Mapping[str, Any] | None = None,
    removes: tuple[str, ...] = (),
    params: Mapping[str, Any] | None = None,
    condition: Clause | None = None,
) -> list[Move | Write]:
    """Writes of one transaction. The counters come last."""
    target = ASSIGNMENT.target(trigger)
    before: dict[str, Any] = dict(row)
    queue: dict[str, str] = {} if target == STAYS else queue_fields({**before, **(sets or {})}, target)
    gone = tuple(name for name in NOT_QUEUED if name not in queue and name in before and target != STAYS)
    change = Change({**(sets or {}), **queue}, removes=(*removes, *gone), condition=condition, params=params or {})
    key = collect_keys.assignment(row["owner"], row["sequence"])
    moved = move(ASSIGNMENT, trigger, key, who=who, at=at, change=change)
    return [moved, *ASSIGNMENT_FIGURES.changed(before, apply_write(moved.write, before))]


def forget_documents(table: DynamoTable, row: AssignmentRow) -> list[Write]:
    """A skipped assignment names no document any more."""
    extras = row.get("extras", [])
    rows = read_documents(table, row["owner"], [*row["documents"], *extras])
    changes = {path: {"named": -1} for path in row["documents"]}
    for path in extras:
        changes[path] = {**changes.get(path, {}), "extra": -1}
    return name_documents(row["owner"], rows, changes)


def skip_writes(
    table: DynamoTable,
    row: AssignmentRow,
    trigger: str,
    reason: str,
    *,
    who: str,
    at: str,
    sets: Mapping[str, Any] | None = None,
    params: Mapping[str, Any] | None = None,
) -> list[Move | Write]:
    if ASSIGNMENT.target(trigger) != SKIPPED:
        raise ValueError(f"{trigger} does not skip")
    sets = {**(sets or {}), "reason": reason, "requires_permission": True}
    removes = ("extras",) if "extras" in row else ()
    moved, *counts = move_assignment(row, trigger, who=who, at=at, sets=sets, removes=removes, params=params)
    others = [write for write in counts if isinstance(write, Write)]
    return [moved, *merge_counts([*others, *forget_documents(table, row)])]
