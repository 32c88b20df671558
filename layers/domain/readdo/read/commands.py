"""What a person may do to an item. Each is a move of the table under the version that was seen.

The item is read first, so that the answer can be given, and kept under the caller's key, before the write is made;
the write asks for the version that was read, so that what was read is not trusted but checked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo.lifecycle.advance import Change, Conflict, Move, NotFound, advance_all, move
from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.item import ARCHIVED, ITEM, QUEUED, SHIPPED
from readdo.lifecycle.write import Busy, Table, WriteRefused
from readdo.read import queue, views, workflows
from readdo.store import history, idempotency, keys
from readdo.store.due import NOT_DUE
from readdo.store.inbox import place, place_ready

_TRIES = 32
Build = Callable[[dict[str, Any], str], Move]


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
    """The item's view after the move. The same key and request again: the first answer, and nothing is done."""
    place_of = keys.item(command.owner, command.item_id)
    for _ in range(_TRIES):
        if command.key:
            first = idempotency.remembered(table, command.owner, "item", command.key, command.fingerprint, at)
            if first is not None:
                return dict(first)
        item = table.get(place_of)
        if item is None:
            raise NotFound(ITEM, command.name, None)
        moving = build(item, at)
        after = applied(moving.write, item)
        answer = views.item(after)
        record = []
        if command.key:
            record = [idempotency.record(command.owner, "item", command.key, command.fingerprint, answer, at)]
        try:
            advance_all(table, *record, moving)
        except WriteRefused:
            continue  # the same key, at the same time: the next look finds its answer
        except Conflict as conflict:
            if conflict.row and conflict.row["version"] != item["version"]:
                continue  # somebody else moved it: look again
            raise
        if moving.target == QUEUED:
            workflows.process_item(after)
        history.fold(table, after)
        return answer
    raise Busy(command.item_id)


def _seen(item: Mapping[str, Any]) -> dict[str, Any]:
    return {"seen_version": item["version"]}


def requeue(trigger: str, profile: str | None = None) -> Build:
    """process, retry, regenerate: a new run."""

    def build(item: dict[str, Any], at: str) -> Move:
        sets = {"profile": profile} if profile else {}
        return queue.new_run(trigger, item, who="user", at=at, condition=VERSION_SEEN, params=_seen(item), sets=sets)

    return build


def keep(item: dict[str, Any], at: str) -> Move:
    return _back_to_ready("keep", item, at)


def unarchive(item: dict[str, Any], at: str) -> Move:
    """Back to the served set if there is one; else read again."""
    if "served_run_id" in item:
        return _back_to_ready("unarchive", item, at)
    return unarchive_anew(item, at)


def unarchive_anew(item: dict[str, Any], at: str) -> Move:
    return requeue("unarchive_anew")(item, at)


def _back_to_ready(trigger: str, item: dict[str, Any], at: str) -> Move:
    served = "served_run_id" in item
    sets = place_ready(item["priority"], item["match_score"], item["id"]) if served else {}
    change = Change(
        sets={**sets, **queue.NO_TRIES},
        removes=(*NOT_DUE, "failure", "archive_reason"),
        condition=VERSION_SEEN,
        params=_seen(item),
    )
    return move(
        ITEM, trigger, keys.item(item["owner"], item["id"]), who="user", at=at, run=item.get("run_id"), change=change
    )


def ship(item: dict[str, Any], at: str) -> Move:
    change = Change(
        sets={**place(SHIPPED, item["id"]), **queue.NO_TRIES},
        removes=NOT_DUE,
        condition=VERSION_SEEN,
        params=_seen(item),
    )
    return move(
        ITEM, "ship", keys.item(item["owner"], item["id"]), who="user", at=at, run=item.get("run_id"), change=change
    )


def archive(reason: str | None) -> Build:
    """The reason, where none is given, follows from the row of the table: a failure's, or the user's."""

    def build(item: dict[str, Any], at: str) -> Move:
        of_failure = item["status"] in ITEM.sources("archive_failure")
        trigger, usual = ("archive_failure", "FAILURE_ARCHIVE") if of_failure else ("archive", "USER_ARCHIVE")
        change = Change(
            sets={"archive_reason": reason or usual, **place(ARCHIVED, item["id"])},
            removes=(*NOT_DUE, "failure", "last_export_failure"),
            condition=VERSION_SEEN,
            params=_seen(item),
        )
        return move(
            ITEM,
            trigger,
            keys.item(item["owner"], item["id"]),
            who="user",
            at=at,
            run=item.get("run_id"),
            change=change,
        )

    return build
