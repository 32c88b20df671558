"""Refused transitions of assignments and batches, as API errors."""

from collections.abc import Mapping
from typing import Any, cast

from readdo.collect import views
from readdo.collect.rows import AssignmentRow
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.collect_batch import BATCH
from readdo.web.errors import ApiError, conflict

_PARTICIPLES = {"skip": "skipped", "retry": "retried", "continue": "continued"}
_WHY = {
    "applied": "has been applied, and this is another output",
    "applying": "is being applied, and this is another output",
    "timed_out": "has timed out, and its assignments are pending again",
    "failed": "has failed, and its assignments are pending again",
    "picking": "is still being picked",
}


def _explain_assignment(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    participle = _PARTICIPLES.get(refused.trigger, "changed in this way")
    words = f"The assignment is {refused.status} and cannot be {participle}."
    return conflict(refused, words, views.available(cast("AssignmentRow", dict(row))))


def _explain_batch(refused: Refused, _: Mapping[str, Any]) -> ApiError:
    why = _WHY.get(refused.status or "", f"is {refused.status}")
    return conflict(refused, f"The batch {why}. No output is accepted.")


REFUSALS = {ASSIGNMENT.name: _explain_assignment, BATCH.name: _explain_batch}
