"""Commands of a user on an assignment: skip, retry, continue."""

from collections.abc import Callable
from typing import Any

from readdo.collect import violations
from readdo.collect.assignment_moves import move_assignment, skip_writes
from readdo.collect.rows import AssignmentRow, find_assignment
from readdo.lifecycle.advance import Forbidden, Move
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import Write
from readdo.store.commands import CommandContext, PlannedWrites, carry_out

Plan = Callable[[AssignmentRow], list[Move | Write]]


def skip(context: CommandContext, name: str, reason: str) -> AssignmentRow:
    """A permission is needed first."""
    return _carry_out(
        context, name, "skip", lambda row: skip_writes(context.table, row, "skip", reason, who=USER, at=context.at)
    )


def retry(context: CommandContext, name: str) -> AssignmentRow:
    return _carry_out(
        context,
        name,
        "retry",
        lambda row: move_assignment(row, "retry", who=USER, at=context.at, removes=("error",)),
    )


def continue_assignment(context: CommandContext, name: str) -> AssignmentRow:
    """Keeps the rate and the missing items. The automatic continues count from zero again."""
    sets: dict[str, Any] = {"continued": 0}
    return _carry_out(
        context, name, "continue", lambda row: move_assignment(row, "continue", who=USER, at=context.at, sets=sets)
    )


def _carry_out(context: CommandContext, name: str, trigger: str, plan: Plan) -> AssignmentRow:
    def look() -> PlannedWrites:
        row = find_assignment(context.table, context.owner, name, trigger)
        if row["status"] not in ASSIGNMENT.sources(trigger):
            raise Forbidden(ASSIGNMENT, trigger, row)
        return PlannedWrites({"id": row["id"]}, plan(row))

    try:
        carry_out(context, look)
    except Forbidden as forbidden:
        details = f"{trigger} from {forbidden.status}"
        kind = violations.FORBIDDEN_TRANSITION
        violations.record_violation(context.table, context.owner, kind, context.at, details, assignment_id=name)
        raise
    return find_assignment(context.table, context.owner, name, trigger)
