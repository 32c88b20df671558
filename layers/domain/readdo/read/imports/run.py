"""A start of an import: its fence, its progress, and its failures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost
from readdo.lifecycle.advance import Change, Refused, advance, advance_all, move
from readdo.lifecycle.conditions import holds
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.write import Key, Table, Write
from readdo.messages import message, stored_fields
from readdo.runtime import seconds
from readdo.store import keys
from readdo.store.due import NOT_DUE, due

STUMBLE_SECONDS = 30
STOPPED = "IMPORT_STOPPED"


@dataclass(frozen=True)
class ImportRun:
    """A start of an import. With the workflow's progress, this is the whole state of its workflow."""

    owner: str
    id: str
    epoch: int

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "ImportRun":
        return cls(event["owner"], event["import"], event["epoch"])

    @property
    def key(self) -> Key:
        return keys.import_job(self.owner, self.id)

    @property
    def fence(self) -> dict[str, Any]:
        return {"epoch": self.epoch}


def fenced(table: Table, run: ImportRun, trigger: str) -> dict[str, Any]:
    """The import's row, if this start may still make that move."""
    row = table.get(run.key)
    if row is None or not holds(IMPORT.guard(trigger), row, run.fence):
        raise LeaseLost(f"import {run.id} is not at epoch {run.epoch}")
    return row


def later(run: ImportRun, at: str) -> dict[str, str]:
    return due(run.id, clock.after(at, seconds("IMPORT_SECONDS", 900)))


def note(table: Table, run: ImportRun, trigger: str, change: Change, at: str, *beside: Write, who: str) -> None:
    """Write progress in one transaction under the fence. A start that lost its lease writes nothing."""
    fenced_change = Change(change.sets, change.adds, change.removes, change.condition, {**change.params, **run.fence})
    moving = move(IMPORT, trigger, run.key, who=who, at=at, change=fenced_change)
    try:
        advance_all(table, *beside, moving)
    except Refused as refused:
        raise LeaseLost(str(refused)) from refused


def refuse(table: Table, run: ImportRun, words: str, at: str) -> None:
    """The file is invalid: it is not read again."""
    failure = _failure("IMPORT_FILE_UNREADABLE", words, at)
    change = Change(sets={"failure": failure, "refused": True}, removes=NOT_DUE)
    note(table, run, "refuse", change, at, who="system:read_file")


def restart_soon(table: Table, run: ImportRun, at: str) -> str:
    """Handle the caught error: the import is started again soon, unless it was restarted too often."""
    change = Change(sets=due(run.id, clock.after(at, STUMBLE_SECONDS)))
    note(table, run, "stumble", change, at, who="system:record_failure")
    return STOPPED


def start_again(
    table: Table, row: Mapping[str, Any], trigger: str, at: str, params: Mapping[str, Any]
) -> dict[str, Any]:
    """Called by the heartbeat: the next epoch continues after the last recorded line."""
    until = clock.after(at, seconds("IMPORT_SECONDS", 900))
    sets = {"epoch": row["epoch"] + 1, "restarts": row["restarts"] + 1, **due(row["id"], until)}
    key = keys.import_job(row["owner"], row["id"])
    change = Change(sets=sets, params=params)
    return advance(table, move(IMPORT, trigger, key, who="system:heartbeat", at=at, change=change))


def give_up(table: Table, row: Mapping[str, Any], at: str, params: Mapping[str, Any]) -> None:
    _fail(table, row, "give_up", _failure(STOPPED, message("import.given_up"), at), at, params)


def let_go(table: Table, row: Mapping[str, Any], at: str, params: Mapping[str, Any]) -> None:
    _fail(table, row, "let_go", _failure("IMPORT_NO_FILE", message("import.no_file"), at), at, params, refused=True)


def _failure(code: str, text: str, at: str) -> dict[str, Any]:
    return {"error_code": code, "message": text, **stored_fields(text), "failed_at": at}


def _fail(
    table: Table,
    row: Mapping[str, Any],
    trigger: str,
    failure: Mapping[str, Any],
    at: str,
    params: Mapping[str, Any],
    **more: Any,
) -> None:
    change = Change(sets={"failure": failure, **more}, removes=NOT_DUE, params=params)
    key = keys.import_job(row["owner"], row["id"])
    advance(table, move(IMPORT, trigger, key, who="system:heartbeat", at=at, change=change))
