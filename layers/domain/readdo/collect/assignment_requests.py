"""Requests with assignments: one or a list, checked whole, then stored."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from readdo import clock
from readdo.clock import digest
from readdo.collect import violations
from readdo.collect.assignment_creation import ASSIGNMENTS_MAX, ID_TAKEN, check_all, create_all, taken_words
from readdo.collect.assignment_validation import CheckedAssignment
from readdo.collect.field_checks import MissingField, TooManyDocuments, is_web_address
from readdo.collect.views import assignment
from readdo.invocations import call_function
from readdo.lifecycle.write import WriteRefused
from readdo.store import idempotency
from readdo.store.table import DynamoTable
from readdo.web.errors import ApiError, invalid

_OPERATION = "assignments"
_VIOLATIONS_MAX = 50  # of one request


def validate_assignments(table: DynamoTable, owner: str, value: Any, *, split: bool) -> dict[str, Any]:
    return _results(check_all(table, owner, _entries(value), split=split))


def add_assignments(
    table: DynamoTable, owner: str, value: Any, at: str, key: str, *, split: bool
) -> tuple[dict[str, Any], bool]:
    """The answer, and whether an assignment is new. With the same key, ids are the same again."""
    entries = _entries(value)
    checked = check_all(table, owner, entries, split=split)
    if any(one.errors for one in checked):
        _record_violations(table, owner, checked, at)
        raise _refusal(checked)
    _bind_key(table, owner, key, {"value": value, "split": split}, at)
    created = create_all(
        table, owner, checked, at, lambda place: digest(owner, key, str(place))[:26] if key else clock.new_id(at)
    )
    if created.errors and not isinstance(value, list):
        raise id_taken(created.errors[0]["id"])
    return {"assignments": [assignment(row) for row in created.assignments], "errors": created.errors}, created.has_new


def id_taken(name: str) -> ApiError:
    return ApiError(409, ID_TAKEN, taken_words(name))


def expand_schedule(schedule_url: str) -> dict[str, Any]:
    """The function of our own worker reads the page: it has the libraries for it."""
    if not is_web_address(schedule_url):
        problem = "must be an address without blanks that begins with http:// or https://"
        raise invalid(f"schedule_url {problem}.", {"schedule_url": problem})
    answer = call_function("COLLECT_WORK_ARN", {"schedule_url": schedule_url})
    problem = "It could not be read now. Try again later." if answer is None else str(answer.get("problem", ""))
    if answer is None or problem:
        raise invalid(f"The schedule was not read. {problem}", {"schedule_url": problem})
    return {"document_list": answer["document_list"]}


def _entries(value: Any) -> list[Any]:
    entries = value if isinstance(value, list) else [value]
    if not 1 <= len(entries) <= ASSIGNMENTS_MAX:
        raise invalid(f"Send one assignment, or a list of 1 to {ASSIGNMENTS_MAX:,}.")
    return entries


def _results(checked: Sequence[CheckedAssignment]) -> dict[str, Any]:
    views = [one.view() for one in checked]
    wrong = sum(not view["valid"] for view in views)
    return {"results": views, "valid": len(views) - wrong, "invalid": wrong}


def _refusal(checked: Sequence[CheckedAssignment]) -> ApiError:
    answer = _results(checked)
    problems = [problem for view in answer["results"] for problem in view["errors"]]
    words = f"{answer['invalid']} of {len(checked)} assignments are not valid, and none was stored."
    if len(checked) == 1:
        words = "; ".join(problem["message"] for problem in problems)[:600]
    return ApiError(400, "VALIDATION_ERROR", words, {"results": answer["results"], "fields": problems[:20]})


def _record_violations(table: DynamoTable, owner: str, checked: Sequence[CheckedAssignment], at: str) -> None:
    kinds = ((TooManyDocuments, violations.TOO_MANY_DOCUMENTS), (MissingField, violations.FIELD_MISSING))
    found = [
        (kind, one.id, f"{name} {words}")
        for one in checked
        for name, words in one.errors
        for rule, kind in kinds
        if isinstance(words, rule)
    ]
    for kind, name, details in found[:_VIOLATIONS_MAX]:
        violations.record_violation(table, owner, kind, at, details, assignment_id=name)


def _bind_key(table: DynamoTable, owner: str, key: str, request: dict[str, Any], at: str) -> None:
    """The key belongs to this request: another one with it is refused."""
    print_ = idempotency.fingerprint(request)
    if not key or idempotency.first_answer(table, owner, _OPERATION, key, print_, at) is not None:
        return
    with suppress(WriteRefused):
        table.write(idempotency.record(owner, _OPERATION, key, print_, {}, at))
        return
    idempotency.first_answer(table, owner, _OPERATION, key, print_, at)
