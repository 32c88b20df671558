"""What a person may do to an item. Each is a move of the table under the version that was seen.

The item is read first, so that the answer can be given, and kept under the caller's key, before the write is made;
the write asks for the version that was read, so that what was read is not trusted but checked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo.lifecycle.advance import Change, Conflict, Move, NotFound, advance_all, living, move
from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.item import ITEM, QUEUED
from readdo.lifecycle.write import Busy, Table, Write, WriteRefused
from readdo.read import views, workflows
from readdo.store import history, idempotency, keys

_TRIES = 32


@dataclass(frozen=True)
class Deed:
    """A move of the item, and what is written with it or not at all."""

    move: Move
    beside: tuple[Write, ...] = ()
    told: Mapping[str, Any] | None = None  # what the answer says besides the item


Build = Callable[[dict[str, Any], str], Deed | None]  # None: all is as it is wished already


@dataclass(frozen=True)
class Command:
    """Who asks for what of which item; `request` is what makes two of the same key the same."""

    owner: str
    item_id: str
    name: str
    key: str = ""
    request: Mapping[str, Any] | None = None

    @property
    def fingerprint(self) -> str:
        return idempotency.fingerprint({"item": self.item_id, "name": self.name, **(self.request or {})})


def carry_out(table: Table, command: Command, build: Build, at: str) -> dict[str, Any]:
    """`item` as the move leaves it, and what else is told. The same key and request again: the first answer."""
    place_of = keys.item(command.owner, command.item_id)
    for _ in range(_TRIES):
        item = living(table.get(place_of))
        if command.key:  # asked for after the item: whoever made it what it is with this key has left its answer
            first = idempotency.first_answer(table, command.owner, "item", command.key, command.fingerprint, at)
            if first is not None:
                return dict(first)
        if item is None:
            raise NotFound(ITEM, command.name, None)
        deed = build(item, at)
        if deed is None:
            return {"item": views.item(item)}
        after = applied(deed.move.write, item)
        answer = {"item": views.item(after) if living(after) else {}, **(deed.told or {})}
        record = []
        if command.key:
            record = [idempotency.record(command.owner, "item", command.key, command.fingerprint, answer, at)]
        try:
            advance_all(table, *record, deed.move, *deed.beside)
        except WriteRefused:
            continue  # the same key, or the same thing, at the same time: the next look finds it
        except Conflict as conflict:
            if conflict.row and conflict.row["version"] != item["version"]:
                continue  # somebody else moved it: look again
            raise
        if deed.move.target == QUEUED:
            workflows.process_item(after)
        if living(after):
            history.fold(table, after)
        return answer
    raise Busy(command.item_id)


def under_the_version(trigger: str, item: Mapping[str, Any], at: str, change: Change) -> Move:
    """A move by the user, refused if anybody has changed the item since it was read."""
    seen = Change(change.sets, change.adds, change.removes, VERSION_SEEN, {"seen_version": item["version"]})
    place_of = keys.item(item["owner"], item["id"])
    return move(ITEM, trigger, place_of, who="user", at=at, run=item.get("run_id"), change=seen)
