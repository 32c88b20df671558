"""Heartbeat of the mirror: switch it on when a database is configured, off when none is."""

from contextlib import suppress
from typing import Any, cast

from readdo import clock
from readdo.integrations import integration_keys
from readdo.integrations.notion import settings
from readdo.integrations.notion.sync_lease import LEASE_SECONDS
from readdo.integrations.rows import MirrorRow, NewMirror, mirror_row
from readdo.invocations import invoke_function
from readdo.lifecycle.advance import Change, Move, Refused, advance, create, move
from readdo.lifecycle.mirror import MIRROR, RESTING, SYNCING
from readdo.lifecycle.write import holds
from readdo.store.keys import NOT_DUE, due
from readdo.store.table import DynamoTable

WHO = "system:heartbeat"
_START_TRIGGERS = {RESTING: "sync", SYNCING: "start_again"}


def begin(table: DynamoTable, at: str) -> None:
    """Create the configured mirror or switch it on. Called once a minute."""
    target = settings.read()
    if not target.on:
        return
    key = integration_keys.mirror(target.owner)
    row = mirror_row(table, target.owner)
    if row is None:
        first: NewMirror = {
            "owner": target.owner,
            "epoch": 0,
            "taken": 0,
            "news": 0,
            "created_at": at,
            **due(target.owner, at),
        }
        with suppress(Refused):  # another heartbeat created it
            advance(table, create(MIRROR, "begin", key, first, who=WHO, at=at))
    elif holds(MIRROR.guard("switch_on"), row, {}):
        advance(table, move(MIRROR, "switch_on", key, who=WHO, at=at, change=Change(due(target.owner, at))))


def attend(table: DynamoTable, due_row: dict[str, Any], at: str) -> str:
    row = cast("MirrorRow", due_row)
    target = settings.read()
    mine = target.on and target.owner == row["owner"]
    step = _start(row, at) if mine else _switch_off(row, at)
    after = cast("MirrorRow", advance(table, step))
    if mine:
        invoke_function("MIRROR_ARN", {"owner": after["owner"], "epoch": after["epoch"]})
    return step.trigger


def _start(row: MirrorRow, at: str) -> Move:
    sets = {"epoch": row["epoch"] + 1, **due(row["owner"], clock.after(at, LEASE_SECONDS))}
    return _move(_START_TRIGGERS[row["status"]], row, at, Change(sets, params=_fence(row, at)))


def _switch_off(row: MirrorRow, at: str) -> Move:
    return _move("switch_off", row, at, Change(removes=(*NOT_DUE, "trouble"), params=_fence(row, at)))


def _fence(row: MirrorRow, at: str) -> dict[str, Any]:
    return {"epoch": row["epoch"], "due_seen": row["due_at"], "now": at}


def _move(trigger: str, row: MirrorRow, at: str, change: Change) -> Move:
    return move(MIRROR, trigger, integration_keys.mirror(row["owner"]), who=WHO, at=at, change=change)
