"""Receive the output of a worker: refuse it whole, or accept it once and apply it."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from readdo import clock, files
from readdo.collect import batch_apply, batch_end, collect_keys, violations
from readdo.collect.output_validation import Fault, NotJson, Output, check_output, digest_of, parse_json
from readdo.collect.rows import BatchRow, find_batch
from readdo.lifecycle.advance import Change, Forbidden, Refused, advance, move
from readdo.lifecycle.assignment import ORCHESTRATOR
from readdo.lifecycle.collect_batch import APPLIED, APPLYING, BATCH, OPEN, WORKER
from readdo.lifecycle.write import Busy
from readdo.messages import message, stored_fields
from readdo.store.keys import due
from readdo.store.table import DynamoTable
from readdo.web.errors import ApiError, conflict

APPLY_SECONDS = 60  # until the heartbeat goes on
_FAULTS_KEPT = 200
_TRIES = 32


@dataclass(frozen=True)
class Received:
    batch: BatchRow
    moved: list[dict[str, Any]] = field(default_factory=list)
    is_applied: bool = True


def receive_output(
    table: DynamoTable, owner: str, name: str, text: str, time_left: Callable[[], bool], *, dry_run: bool = False
) -> Received:
    for _ in range(_TRIES):
        batch = _in_time(table, find_batch(table, owner, name, "accept"), dry_run=dry_run)
        if batch["status"] not in (OPEN, APPLYING, APPLIED):
            raise _forbidden(table, batch, dry_run=dry_run)
        value = _parse(table, batch, text, dry_run=dry_run)
        if batch["status"] != OPEN:
            return _repeated(table, batch, value, dry_run=dry_run)
        output, faults = check_output(value, name, batch["ids"])
        if output is None:
            raise _refuse(table, batch, faults, dry_run=dry_run)
        if dry_run:
            return Received(batch, batch_apply.preview(table, batch, output))
        try:
            accepted = _accept(table, batch, output, value)
        except Refused:
            continue  # the same output came at the same time, or the batch timed out
        return _apply(table, accepted, output, time_left)
    raise Busy("output")


def _in_time(table: DynamoTable, batch: BatchRow, *, dry_run: bool) -> BatchRow:
    """Past its deadline a batch has timed out, even if the heartbeat has not seen it yet."""
    at = clock.now()
    if batch["status"] != OPEN or at < batch["deadline"]:
        return batch
    if dry_run:
        raise conflict(
            Forbidden(BATCH, "accept", batch), "The deadline of the batch has passed. No output is accepted."
        )
    with suppress(Refused):
        batch_end.time_out(table, batch, at)
    return find_batch(table, batch["owner"], batch["batch_name"], "accept")


def _forbidden(table: DynamoTable, batch: BatchRow, *, dry_run: bool) -> Forbidden:
    if not dry_run:
        details = f"an output for a batch that is {batch['status']}"
        kind, name = violations.FORBIDDEN_TRANSITION, batch["batch_name"]
        violations.record_violation(table, batch["owner"], kind, clock.now(), details, batch_name=name)
    return Forbidden(BATCH, "accept", batch)


def _parse(table: DynamoTable, batch: BatchRow, text: str, *, dry_run: bool) -> Any:
    try:
        return parse_json(text)
    except NotJson as error:
        if batch["status"] != OPEN:
            raise _forbidden(table, batch, dry_run=dry_run) from error
        if not dry_run:
            _fail(table, batch)
        words = "The output is not valid JSON, so the batch has failed. Its assignments are pending again."
        if dry_run:
            words = "The output is not valid JSON. Without dry_run, it fails the batch."
        raise _refusal(words, [{"pointer": "", "message": "is not valid JSON"}]) from error


def _fail(table: DynamoTable, batch: BatchRow) -> None:
    owner, name, at = batch["owner"], batch["batch_name"], clock.now()
    text = message("collect.output_not_json")
    failure = {"error_code": "OUTPUT_NOT_JSON", "message": text, **stored_fields(text)}
    change = Change({"failure": failure, **due(name, at)})
    advance(table, move(BATCH, "fail", collect_keys.batch(owner, name), who=ORCHESTRATOR, at=at, change=change))
    violations.record_violation(table, owner, violations.OUTPUT_NOT_JSON, at, text, batch_name=name)
    batch_apply.put_back(table, batch)


def _refuse(table: DynamoTable, batch: BatchRow, faults: list[Fault], *, dry_run: bool) -> ApiError:
    words = "The output is refused whole, and nothing has changed. Correct the faults and send it again."
    if not dry_run:
        owner, name, at = batch["owner"], batch["batch_name"], clock.now()
        change = Change({"faults": faults[:_FAULTS_KEPT], "updated_at": batch["updated_at"]})  # nothing else changes
        key = collect_keys.batch(owner, name)
        advance(table, move(BATCH, "refuse_output", key, who=ORCHESTRATOR, at=at, change=change))
        details = "; ".join(f"{fault['pointer']} {fault['message']}" for fault in faults)
        violations.record_violation(table, owner, violations.OUTPUT_REFUSED, at, details, batch_name=name)
    return _refusal(words, faults)


def _refusal(words: str, faults: list[Fault]) -> ApiError:
    return ApiError(400, "VALIDATION_ERROR", words, {"faults": faults})


def _repeated(table: DynamoTable, batch: BatchRow, value: Any, *, dry_run: bool) -> Received:
    """The same output again changes nothing."""
    if batch.get("output") != digest_of(value):
        raise _forbidden(table, batch, dry_run=dry_run)
    return Received(batch, batch_apply.moved_assignments(table, batch), batch["status"] == APPLIED)


def _accept(table: DynamoTable, batch: BatchRow, output: Output, value: Any) -> BatchRow:
    owner, name, at = batch["owner"], batch["batch_name"], clock.now()
    body = json.dumps(value, ensure_ascii=False).encode()
    files.put_once(collect_keys.batch_file(owner, name, f"output-{output.digest}"), body, "application/json")
    sets = {"output": output.digest, **due(name, clock.after(at, APPLY_SECONDS))}
    change = Change(sets, removes=("faults",))
    advance(table, move(BATCH, "accept", collect_keys.batch(owner, name), who=WORKER, at=at, change=change))
    return find_batch(table, owner, name)


def _apply(table: DynamoTable, batch: BatchRow, output: Output, time_left: Callable[[], bool]) -> Received:
    is_applied = batch_apply.apply_output(table, batch, output, time_left)
    current = find_batch(table, batch["owner"], batch["batch_name"])
    return Received(current, batch_apply.moved_assignments(table, current), is_applied)
