"""Commands of a user on an item. Each is a lifecycle move on the version that was read.

The item is read first, so that the response can be stored under the caller's key together with the move. The write
requires the version that was read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo.lifecycle.advance import Change, Conflict, Move, NotFound, advance_all, living, move
from readdo.lifecycle.item import ITEM, QUEUED
from readdo.lifecycle.write import VERSION_SEEN, Busy, Table, Write, WriteRefused, apply_write
from readdo.read import history, item_keys, queue, views
from readdo.read.item_keys import item_row
from readdo.read.rows import ItemRow
from readdo.store import idempotency

_TRIES = 32


@dataclass(frozen=True)
class PlannedMove:
    """A move of the item, and the writes of the same transaction."""

    move: Move
    beside: tuple[Write, ...] = ()
    response: Mapping[str, Any] | None = None  # fields of the response besides the item


Build = Callable[[ItemRow, str], PlannedMove | None]  # None: there is nothing to change


@dataclass(frozen=True)
class Command:
    """Command of a user. `request`: what must be equal in two commands with the same key."""

    owner: str
    item_id: str
    name: str
    key: str = ""
    request: Mapping[str, Any] | None = None

    @property
    def fingerprint(self) -> str:
        return idempotency.fingerprint({"item": self.item_id, "name": self.name, **(self.request or {})})


def carry_out(table: Table, command: Command, build: Build, at: str) -> dict[str, Any]:
    """The item after the move, and other fields of the response. Repeats return the first response."""
    for _ in range(_TRIES):
        item = item_row(table, command.owner, command.item_id)
        if command.key:  # read after the item: a move with this key has stored its response
            first_response = idempotency.first_answer(
                table, command.owner, "item", command.key, command.fingerprint, at
            )
            if first_response is not None:
                return dict(first_response)
        if item is None:
            raise NotFound(ITEM, command.name, None)
        planned = build(item, at)
        if planned is None:
            return {"item": views.item(item)}
        after = cast("ItemRow", apply_write(planned.move.write, item))
        response = {"item": views.item(after) if living(after) else {}, **(planned.response or {})}
        record = []
        if command.key:
            record = [idempotency.record(command.owner, "item", command.key, command.fingerprint, response, at)]
        try:
            advance_all(table, *record, planned.move, *planned.beside)
        except WriteRefused:
            continue  # the same key or command at the same time: the next try finds it
        except Conflict as conflict:
            if conflict.row and conflict.row["version"] != item["version"]:
                continue  # another writer moved it: look again
            raise
        if planned.move.target == QUEUED:
            queue.process_item(after)
        if living(after):
            history.fold(table, after)
        return response
    raise Busy(command.item_id)


def versioned_move(trigger: str, item: ItemRow, at: str, change: Change) -> Move:
    """A user's move, refused if the item was changed since it was read."""
    checked = Change(change.sets, change.adds, change.removes, VERSION_SEEN, {"seen_version": item["version"]})
    item_key = item_keys.item(item["owner"], item["id"])
    return move(ITEM, trigger, item_key, who="user", at=at, run=item.get("run_id"), change=checked)
