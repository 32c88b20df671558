"""Apply the output of a batch, once. After a crash, the heartbeat goes on where it stopped."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock, files
from readdo.collect import collect_keys, violations
from readdo.collect.assignment_moves import move_assignment, skip_writes
from readdo.collect.completeness import rate_of
from readdo.collect.document_names import check_unchanged, merge_counts, name_documents, read_documents
from readdo.collect.figures import open_targets
from readdo.collect.output_validation import Output
from readdo.collect.rows import AssignmentRow, AttemptRow, BatchRow
from readdo.collect.verification import Verified, verify
from readdo.collect.views import sentences
from readdo.lifecycle.advance import Change, Move, Refused, advance, advance_all, move
from readdo.lifecycle.assignment import (
    ASSIGNMENT,
    DONE,
    FAILED,
    IN_PROGRESS,
    NOT_PASSED,
    ORCHESTRATOR,
    PARTIAL,
    PASSED,
    PENDING,
    SKIPPED,
)
from readdo.lifecycle.collect_batch import BATCH
from readdo.lifecycle.write import Busy, Write, WriteRefused
from readdo.store.keys import NOT_DUE
from readdo.store.table import DynamoTable

_TRIES = 32
_TEXT_MAX = 1000  # of a reason or an error
_CLAIMS = ("completion_rate", "created_count", "target_count", "missing_items", "documents")
# status of the worker, passed → trigger of the table
_TRIGGERS = {
    ("success", True): "finish",
    ("success", False): "finish_in_part",
    ("partial", True): "finish_in_part",
    ("partial", False): "finish_in_part",
}
_UNVERIFIED = {"pending": "hand_back", "failed": "fail", "skipped": "skip_in_batch"}
_TARGETS = {"finish": DONE, "finish_in_part": PARTIAL, "hand_back": PENDING, "fail": FAILED, "skip_in_batch": SKIPPED}


@dataclass(frozen=True)
class NextState:
    """The next state of an assignment, and its verification."""

    reported: str  # empty: the output has no result for it
    trigger: str
    verified: Verified | None = None

    @property
    def to(self) -> str:
        return _TARGETS[self.trigger]


def decide_state(table: DynamoTable, row: AssignmentRow, result: Mapping[str, Any] | None, at: str) -> NextState:
    reported = str(result["status"]) if result else ""
    if result is None or reported in _UNVERIFIED:
        return NextState(reported, _UNVERIFIED.get(reported, "hand_back"))
    verified = verify(table, row, result["result"], at)
    return NextState(reported, _TRIGGERS[reported, verified.passed], verified)


def apply_output(table: DynamoTable, batch: BatchRow, output: Output, time_left: Callable[[], bool]) -> bool:
    """True if every assignment has moved. Several processes may apply the same output at once."""
    for name, sequence in zip(batch["ids"], batch["sequences"], strict=True):
        if not time_left():
            return False
        _apply(table, batch, sequence, output.results.get(name), output.digest)
    change = Change({"processed_at": output.processed_at}, removes=NOT_DUE)
    _finish(table, batch, change)
    return True


def _finish(table: DynamoTable, batch: BatchRow, change: Change) -> None:
    key = collect_keys.batch(batch["owner"], batch["batch_name"])
    try:
        advance(table, move(BATCH, "finish", key, who=ORCHESTRATOR, at=clock.now(), change=change))
    except Refused:
        return  # another process finished it


def _apply(
    table: DynamoTable, batch: BatchRow, sequence: str, result: Mapping[str, Any] | None, output_digest: str
) -> None:
    for _ in range(_TRIES):
        stored = table.get(collect_keys.assignment(batch["owner"], sequence))
        if stored is None or stored["status"] != IN_PROGRESS or stored["batch_name"] != batch["batch_name"]:
            return  # it has moved already
        row, at = cast("AssignmentRow", stored), clock.now()
        state = decide_state(table, row, result, at)
        try:
            if state.to == DONE:
                _record(table, row, state, output_digest, at)
            advance_all(table, *_steps(table, row, state, result or {}, output_digest, at))
        except (Refused, WriteRefused):
            continue  # another process moved it, or a document has changed since it was verified
        return
    raise Busy("apply")


def _record(table: DynamoTable, row: AssignmentRow, state: NextState, output_digest: str, at: str) -> None:
    """The verification of this result. The move to done requires it."""
    verification = {
        "batch": row["batch_name"],
        "output": output_digest,
        "outcome": PASSED if state.verified and state.verified.passed else NOT_PASSED,
        "documents": [document.evidence for document in state.verified.documents] if state.verified else [],
    }
    change = Change({"verified": verification}, params={"batch": row["batch_name"]})
    key = collect_keys.assignment(row["owner"], row["sequence"])
    advance(table, move(ASSIGNMENT, "verify", key, who=ORCHESTRATOR, at=at, change=change))


def _steps(
    table: DynamoTable, row: AssignmentRow, state: NextState, result: Mapping[str, Any], output_digest: str, at: str
) -> list[Move | Write]:
    sets, removes = _fields(table, row, state, result, at)
    params = {"batch": row["batch_name"], "output": output_digest}
    if state.to == SKIPPED:
        reason = str(result["reason"]).strip()[:_TEXT_MAX]
        steps = skip_writes(table, row, state.trigger, reason, who=ORCHESTRATOR, at=at, sets=sets, params=params)
    else:
        steps = move_assignment(row, state.trigger, who=ORCHESTRATOR, at=at, sets=sets, removes=removes, params=params)
    moved, *counts = steps
    before, kept = row.get("extras", []), sets.get("extras", row.get("extras", []))
    changes = {path: {"extra": 1} for path in kept if path not in before}
    changes |= {path: {"extra": -1} for path in before if path not in kept}
    extras = list(changes)
    read = {one.path: one.row for one in state.verified.documents if one.row} if state.verified else {}
    read |= read_documents(table, row["owner"], [path for path in changes if path not in read])
    names = name_documents(row["owner"], read, changes)
    others = [write for write in counts if isinstance(write, Write)]
    return [
        moved,
        _attempt_write(row, state, result, at),
        *merge_counts([*others, *names]),
        *_checks(row, state, extras),
        *_violations(row, state, at),
    ]


def _fields(
    table: DynamoTable, row: AssignmentRow, state: NextState, result: Mapping[str, Any], at: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    sets: dict[str, Any] = {}
    if state.reported:
        picked_at = table.get(_attempt_key(row)) or {"picked_at": at}
        spent = int(1000 * clock.seconds_between(picked_at["picked_at"], at))
        sets |= {"milliseconds": row.get("milliseconds", 0) + spent, "results": row.get("results", 0) + 1}
    for name in ("reason", "error"):
        if text := str(result.get(name) or "").strip():
            sets[name] = text[:_TEXT_MAX]
    if state.verified:
        sets |= {"points": state.verified.points, "missing": [dict(item) for item in state.verified.missing]}
        target = open_targets(row)
        # Those of this result come first: they were verified.
        kept = list(dict.fromkeys([*state.verified.extras, *row.get("extras", ())]))[:target]
        sets |= {"extras": kept} if kept else {}
    return sets, ()


def _attempt_key(row: AssignmentRow) -> Any:
    return collect_keys.attempt(row["owner"], row["sequence"], row["batch_name"])


def _attempt_write(row: AssignmentRow, state: NextState, result: Mapping[str, Any], at: str) -> Write:
    key = _attempt_key(row)
    sets: dict[str, Any] = {"to": state.to}
    if state.reported:
        claims = result.get("result", {})
        claimed = {name: claims[name] for name in _CLAIMS if name in claims}
        place = f"collect/{row['owner']}/claims/{row['sequence']}/{row['batch_name']}.json"
        sets |= {"reported": state.reported, "result_at": at, **files.store_json(place, claimed)}
    if state.verified:
        documents = [document.evidence for document in state.verified.documents]
        missing = [dict(item) for item in state.verified.missing]
        sets |= {"passed": state.verified.passed, "points": state.verified.points}
        sets |= {"documents": documents, "missing": missing}
    return Write(key, sets=sets)


def _checks(row: AssignmentRow, state: NextState, extras: list[str]) -> list[Write]:
    """Done only if the documents are still those that were verified.

    The row of an extra is written with a condition of its own.
    """
    if state.to != DONE or not state.verified:
        return []
    rows = [document.row for document in state.verified.documents if document.path not in extras]
    return [check_unchanged(row["owner"], document) for document in rows if document]


def _violations(row: AssignmentRow, state: NextState, at: str) -> list[Write]:
    if state.reported != "success" or state.to == DONE or not state.verified:
        return []
    details = " ".join(sentences(state.verified.missing))
    kind = violations.VERIFICATION_FAILED
    return [
        violations.violation_write(
            row["owner"], kind, at, details, assignment_id=row["id"], batch_name=row["batch_name"]
        )
    ]


def put_back(table: DynamoTable, batch: BatchRow) -> None:
    """After a failure or a timeout: what is still in progress is pending again."""
    for sequence in batch["sequences"]:
        for _ in range(_TRIES):
            stored = table.get(collect_keys.assignment(batch["owner"], sequence))
            if stored is None or stored["status"] != IN_PROGRESS or stored["batch_name"] != batch["batch_name"]:
                break
            row, at = cast("AssignmentRow", stored), clock.now()
            steps = move_assignment(row, "put_back", who="system", at=at, params={"batch": batch["batch_name"]})
            try:
                advance_all(table, *steps, Write(_attempt_key(row), sets={"to": PENDING}))
            except (Refused, WriteRefused):
                continue
            break
    key = collect_keys.batch(batch["owner"], batch["batch_name"])
    advance(table, move(BATCH, "settle", key, who="system", at=clock.now(), change=Change(removes=NOT_DUE)))


def moved_assignments(table: DynamoTable, batch: BatchRow, language: str = "en") -> list[dict[str, Any]]:
    """The new state of each assignment of the batch."""
    places = zip(batch["ids"], batch["sequences"], strict=True)
    keys = {name: collect_keys.attempt(batch["owner"], sequence, batch["batch_name"]) for name, sequence in places}
    rows = {row["pk"]: cast("AttemptRow", row) for row in table.get_all(keys.values())}
    found = ((name, rows.get(key.pk)) for name, key in keys.items())
    return [_moved(name, attempt, language) for name, attempt in found if attempt and "to" in attempt]


def _moved(name: str, attempt: AttemptRow, language: str) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": name, "from": IN_PROGRESS, "to": attempt["to"]}
    if "points" in attempt:
        fields |= {
            "completion_rate": rate_of(attempt["points"]),
            "missing_items": sentences(attempt["missing"], language),
        }
    return fields


def preview(table: DynamoTable, batch: BatchRow, output: Output) -> list[dict[str, Any]]:
    """The moves that `apply_output` would make now. Writes nothing."""
    moved = []
    for name, sequence in zip(batch["ids"], batch["sequences"], strict=True):
        stored = table.get(collect_keys.assignment(batch["owner"], sequence))
        if stored is None or stored["status"] != IN_PROGRESS or stored["batch_name"] != batch["batch_name"]:
            continue
        state = decide_state(table, cast("AssignmentRow", stored), output.results.get(name), clock.now())
        fields: dict[str, Any] = {"id": name, "from": IN_PROGRESS, "to": state.to}
        if state.verified:
            rate, missing = rate_of(state.verified.points), sentences(state.verified.missing)
            fields |= {"completion_rate": rate, "missing_items": missing}
        moved.append(fields)
    return moved


def stored_output(batch: BatchRow) -> Any:
    name = f"output-{batch['output']}"
    return json.loads(files.get(collect_keys.batch_file(batch["owner"], batch["batch_name"], name)))
