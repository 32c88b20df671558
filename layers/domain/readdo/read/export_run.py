"""Run an export: create each file once, and move the item only if it still serves the same results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from readdo import clock, files
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.advance import (
    Change,
    Conflict,
    Forbidden,
    Move,
    NotFound,
    Refused,
    advance,
    advance_all,
    move,
)
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.item import FAILED_EXPORT, ITEM, SHIPPED
from readdo.lifecycle.state_machine import SYSTEM
from readdo.lifecycle.write import VERSION_SEEN, Key, Missing, Table, Write, WriteRefused, holds
from readdo.messages import message
from readdo.read import artifacts, item_keys
from readdo.read.item_keys import inbox_place, item_row
from readdo.read.queue import NO_TRIES
from readdo.read.rows import ArtifactRow, ExportFile, ExportRow, ItemRow
from readdo.read.step_failures import failure, to_failure
from readdo.runtime import log_error, seconds
from readdo.store.keys import NOT_DUE, due

_TRIES = 8
Effect = Callable[[ItemRow], Change]  # the item's change when an export ends


@dataclass(frozen=True)
class ExportRun:
    """A start of an export: the whole state of its workflow."""

    owner: str
    item: str
    export: str
    epoch: int

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "ExportRun":
        return cls(event["owner"], event["item"], event["export"], event["epoch"])

    @property
    def key(self) -> Key:
        return Key(item_keys.item_partition(self.owner, self.item), f"{item_keys.EXPORT_PREFIX}{self.export}")

    @property
    def fence(self) -> dict[str, Any]:
        return {"epoch": self.epoch}


@dataclass(frozen=True)
class RenderedFile:
    name: str
    content_type: str
    disposition: str  # the Content-Disposition header
    body: bytes


# (format, card, export's row, item's row) → file. Raises StepFailed if it cannot be rendered.
Draw = Callable[[str, dict[str, Any], ExportRow, Mapping[str, Any]], RenderedFile]


def fenced(table: Table, run: ExportRun) -> ExportRow:
    row = table.get(run.key)
    if row is None or not holds(EXPORT.guard("make"), row, run.fence):
        raise LeaseLost(f"export {run.export} is not at epoch {run.epoch}")
    return cast("ExportRow", row)


def carry_out(table: Table, run: ExportRun, draw: Draw, renderer: Mapping[str, str], at: str) -> None:
    """Create and store the missing files, then ship. Stored files are kept if another one fails."""
    row = fenced(table, run)
    item = table.get(item_keys.item(run.owner, run.item))
    card = _card(table, row)
    notes: dict[str, ExportFile] = {}
    failed: StepFailed | None = None
    for form in row["formats"]:
        if form in row["files"]:
            continue
        try:
            notes[f"files.{form}"] = _store(run, draw(form, card, row, item or {}), at)
        except StepFailed as step_failed:
            failed = failed or step_failed
        except Exception as crash:
            log_error("not drawn", crash, format=form)
            words = message("export.render_failed", form=form)
            failed = failed or StepFailed("EXPORT_RENDER_FAILED", words, debug=type(crash).__name__)
    if failed:
        _note(table, run, notes, at)
        raise failed
    _finish(table, run, row, {**notes, "renderer": dict(renderer), "done_at": at}, at)


def _card(table: Table, row: ExportRow) -> dict[str, Any]:
    owner, item_id = row["owner"], row["item"]
    by_user = item_keys.user_artifact(owner, item_id, "card", row["card_version"])
    artifact = table.get(
        by_user if row["card_by"] == "user" else item_keys.run_artifact(owner, item_id, "card", row["card_run"])
    )
    if artifact is None:
        raise StepFailed("EXPORT_RENDER_FAILED", message("export.card_missing"), retryable=False)
    return dict(artifacts.envelope(cast("ArtifactRow", artifact))["payload"])


def _store(run: ExportRun, file: RenderedFile, at: str) -> ExportFile:
    """A file that an earlier start stored is adopted unchanged."""
    key = f"exports/{run.owner}/{run.item}/{run.export}/{file.name}"
    try:
        content = files.put_once(key, file.body, file.content_type, disposition=file.disposition)
    except Exception as error:
        words = message("export.write_failed", name=file.name)
        raise StepFailed("EXPORT_WRITE_FAILED", words, debug=type(error).__name__) from error
    return {"name": file.name, "created_at": at, "bytes": len(content), "sha256": files.sha256(content), "at": key}


def _note(table: Table, run: ExportRun, notes: Mapping[str, Any], at: str) -> None:
    change = Change(sets=notes, params=run.fence)
    try:
        advance(table, move(EXPORT, "make", run.key, who="system:export", at=at, change=change))
    except Refused as refused:
        raise LeaseLost(str(refused)) from refused


def _finish(table: Table, run: ExportRun, row: ExportRow, fields: Mapping[str, Any], at: str) -> None:
    done = Change(sets=fields, removes=(*NOT_DUE, "failure"), params=run.fence)
    end = ExportEnd("finish", "system:export", at, run.fence)
    ending = move(EXPORT, end.trigger, run.key, who=end.who, at=at, run=row["card_run"], change=done)

    def shipped(item: ItemRow) -> Change:
        return Change(
            sets={**inbox_place(SHIPPED, item["id"]), **NO_TRIES},
            removes=(*NOT_DUE, "failure", "last_export_failure"),
        )

    _end(table, row, ending, {"export_done": shipped}, end)


def fail(table: Table, run: ExportRun, error: Mapping[str, str], at: str) -> StepFailed:
    """Record the caught error on the export, and on the item if it still waits for the export."""
    failed = to_failure(error, "export", at)
    ending = ExportEnd("fail", "system:record_failure", at, run.fence)
    _record_failure(table, fenced(table, run), ending, failed)
    return failed


def give_up(table: Table, row: ExportRow, at: str, params: dict[str, Any]) -> None:
    failed = StepFailed("LEASE_EXPIRED", message("export.given_up"))
    _record_failure(table, row, ExportEnd("give_up", "system:heartbeat", at, params), failed)


@dataclass(frozen=True)
class ExportEnd:
    """End of an export: the trigger, the actor, the time and the fence."""

    trigger: str
    who: str
    at: str
    params: Mapping[str, Any]


def _record_failure(table: Table, row: ExportRow, end: ExportEnd, failed: StepFailed) -> None:
    tried = 0 if failed.waits_until else 1
    stored = failure("export", failed, row["attempts"] + tried, 0, end.at)
    retry_at = stored.get("next_retry_at")
    change = Change(
        sets={
            "failure": stored,
            "attempts": stored["attempts"],
            **(due(row["key_digest"] + row["item"], retry_at) if retry_at else {}),
        },
        removes=() if retry_at else NOT_DUE,
        params=end.params,
    )
    key = item_keys.export(row["owner"], row["item"], row["export_key"])
    moved = move(EXPORT, end.trigger, key, who=end.who, at=end.at, run=row["card_run"], change=change)
    ending = replace(moved, is_counted=not failed.waits_until)

    def failed_export(item: ItemRow) -> Change:
        attempts = item["attempts"] + tried
        item_failure = {**stored, "attempts": attempts}
        return Change(sets={"failure": item_failure, "attempts": attempts, **inbox_place(FAILED_EXPORT, item["id"])})

    def still_shipped(_: ItemRow) -> Change:
        return Change(sets={"last_export_failure": stored})

    _end(table, row, ending, {"export_failed": failed_export, "export_again_failed": still_shipped}, end)


def _end(table: Table, row: ExportRow, ending: Move, effects: Mapping[str, Effect], end: ExportEnd) -> None:
    """End the export and change the item in one transaction, as the item's current state allows."""
    item_key = item_keys.item(row["owner"], row["item"])
    for _ in range(_TRIES):
        beside = _item_write(item_row(table, row["owner"], row["item"]), item_key, row["served_run_id"], effects, end)
        if isinstance(beside, Move):
            beside = replace(beside, is_counted=ending.is_counted)
        try:
            advance_all(table, ending, beside)
            return
        except WriteRefused:
            continue  # the item changed meanwhile: look again
        except (Conflict, Forbidden, NotFound) as refused:
            if refused.machine is EXPORT:
                raise LeaseLost(str(refused)) from refused
    raise Conflict(ITEM, ending.trigger, table.get(item_key))


def _item_write(
    item: ItemRow | None, item_key: Key, served: str, effects: Mapping[str, Effect], end: ExportEnd
) -> Move | Write:
    if item is None:
        return Write(item_key, "check", condition=Missing("status"))
    params = {"seen_version": item["version"], "served": served}
    triggers = [t for t in ITEM.open_to(SYSTEM, item) if t in effects and item.get("served_run_id") == served]
    if not triggers:
        return Write(item_key, "check", condition=VERSION_SEEN, params=params)
    effect = effects[triggers[0]](item)
    change = Change(effect.sets, effect.adds, effect.removes, VERSION_SEEN, params)
    return move(ITEM, triggers[0], item_key, who=end.who, at=end.at, run=item["run_id"], change=change)


def start_again(row: ExportRow, trigger: str, at: str, params: dict[str, Any]) -> Move:
    """Start a dead export or a due retry with the next epoch: the previous start can no longer write."""
    dead = trigger == "start_again"
    until = clock.after(at, seconds("EXPORT_SECONDS", 300))
    change = Change(
        sets={
            "epoch": row["epoch"] + 1,
            "restarts": row["restarts"] + 1 if dead else 0,
            **due(row["key_digest"] + row["item"], until),
        },
        removes=() if dead else ("failure",),
        params=params,
    )
    key = item_keys.export(row["owner"], row["item"], row["export_key"])
    return move(EXPORT, trigger, key, who="system:heartbeat", at=at, run=row["card_run"], change=change)


def let_be(row: ExportRow, at: str, params: dict[str, Any]) -> Move:
    """For an export that no item waits for any more: it stays failed, and is no longer due."""
    key = item_keys.export(row["owner"], row["item"], row["export_key"])
    change = Change(removes=NOT_DUE, params=params)
    return move(EXPORT, "let_be", key, who="system:heartbeat", at=at, change=change)
