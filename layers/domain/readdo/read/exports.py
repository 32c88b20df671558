"""An export as it is asked for: one key, one set of files, whatever happens to the item meanwhile."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from readdo import clock, ids
from readdo.lifecycle.advance import Change, Conflict, Forbidden, Move, NotFound, advance_all, create, living, move
from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import same
from readdo.lifecycle.export import EXPORT, FAILED
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.machine import USER
from readdo.lifecycle.write import Busy, Table
from readdo.read import workflows
from readdo.read.queue import NO_TRIES
from readdo.runtime import seconds
from readdo.store import artifacts, history, idempotency, keys
from readdo.store.due import due
from readdo.store.idempotency import KeyReused
from readdo.store.table import DynamoTable

_TRIES = 32
USUAL_FORMATS = ("png", "md", "caption")


class NoSuchCard(LookupError):
    """The card version that was asked for does not exist, or never passed the gate."""


class SetReplaced(Exception):
    """The key belongs to a set that the item no longer serves."""


@dataclass(frozen=True)
class ExportRequest:
    key: str
    formats: tuple[str, ...]
    theme: str = "LIGHT"
    layout: str = "CARD_4x5_V1"
    card_version: int | None = None

    @property
    def fingerprint(self) -> str:
        said = idempotency.fingerprint_of(self, but=("key",))
        return idempotency.fingerprint({**said, "formats": sorted(self.formats)})

    def under(self, key: str) -> "ExportRequest":
        return replace(self, key=key)

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "ExportRequest":
        """The wish that an export was asked for with."""
        whole = cls(row["export_key"], tuple(row["formats"]), row["theme"], row["layout"], row["card_version"])
        usual = replace(whole, card_version=None)
        return usual if usual.fingerprint == row["fingerprint"] else whole


USUAL = ExportRequest("", USUAL_FORMATS)


def usual_key(table: DynamoTable, owner: str, item_id: str, wish: ExportRequest = USUAL) -> str:
    """For a caller who does not care: of the set that is served, the card that is shown, and how it is drawn."""
    item = living(table.get(keys.item(owner, item_id)))
    if item is None:
        raise NotFound(ITEM, "export", None)
    card = str(item.get("edited", {}).get("card", ""))
    return ids.digest(item_id, item.get("served_run_id", ""), card, wish.fingerprint)


def find(table: Table, owner: str, item_id: str, key: str) -> dict[str, Any] | None:
    return table.get(keys.export(owner, item_id, key))


def request_export(table: DynamoTable, owner: str, item_id: str, wish: ExportRequest, at: str) -> dict[str, Any]:
    """The export's row after asking: made, found, or started again if it had failed."""
    for _ in range(_TRIES):
        row = find(table, owner, item_id, wish.key)
        if row is not None and row["fingerprint"] != wish.fingerprint:
            raise KeyReused(wish.key)
        if row is not None and row["status"] != FAILED:
            return row
        item = living(table.get(keys.item(owner, item_id)))
        if item is None:
            raise NotFound(ITEM, "export", None)
        if row is not None and row["served_run_id"] != item.get("served_run_id"):
            raise SetReplaced(wish.key)
        moves = _again(item, row, at) if row is not None else _first(table, item, wish, at)
        try:
            advance_all(table, *moves)
        except Conflict:
            continue  # the item was touched meanwhile: look again
        except Forbidden as refused:
            if refused.machine is ITEM:
                raise
            continue  # the same key at the same time: the next look finds it
        history.fold(table, applied(moves[1].write, item))
        asked = applied(moves[0].write, row)
        workflows.export_item(asked)
        return asked
    raise Busy(item_id)


def _first(table: DynamoTable, item: dict[str, Any], wish: ExportRequest, at: str) -> tuple[Move, Move]:
    if "export" not in ITEM.open_to(USER, item):
        raise Forbidden(ITEM, "export", item)  # the write would say so too, but only once there is a card to name
    card = _card(table, item, wish.card_version)
    version = item["versions"]["export"]
    key = keys.export(item["owner"], item["id"], wish.key)
    row = {
        "owner": item["owner"],
        "item": item["id"],
        "export_key": wish.key,
        "key_digest": ids.digest(wish.key),
        "fingerprint": wish.fingerprint,
        "created_at": at,
        "artifact_version": version + 1,
        "card_run": card["meta"]["run_id"],
        "card_version": card["version"],
        "card_by": card["created_by"],
        "formats": list(wish.formats),
        "theme": wish.theme,
        "layout": wish.layout,
        "served_run_id": item.get("served_run_id", ""),
        "files": {},
        "attempts": 0,
        **_start(ids.digest(wish.key) + item["id"], at, epoch=1),
    }
    counting = Change(
        sets={"versions.export": version + 1},
        condition=same("versions.export", "seen"),
        params={"seen": version, "served": item.get("served_run_id", "")},
    )
    return create(EXPORT, "request", key, row, who="user", at=at), _asking(item, counting, at)


def _asking(item: Mapping[str, Any], change: Change, at: str) -> Move:
    return move(ITEM, "export", keys.item(item["owner"], item["id"]), who="user", at=at, change=change)


def _again(item: Mapping[str, Any], row: Mapping[str, Any], at: str) -> tuple[Move, Move]:
    """A failed export, wished for once more: what it made stays, and what is missing is made."""
    change = Change(
        sets={"attempts": 0, **_start(row["key_digest"] + row["item"], at, epoch=row["epoch"] + 1)},
        removes=("failure",),
        condition=same("epoch", "epoch"),
        params={"epoch": row["epoch"]},
    )
    key = keys.export(row["owner"], row["item"], row["export_key"])
    forgetting = Change(sets=NO_TRIES, params={"served": row["served_run_id"]})
    again = move(EXPORT, "request_again", key, who="user", at=at, run=row["card_run"], change=change)
    return again, _asking(item, forgetting, at)


def _start(name: str, at: str, *, epoch: int) -> dict[str, Any]:
    """Each start has an epoch of its own; what an earlier one still writes is refused."""
    until = clock.after(at, seconds("EXPORT_SECONDS", 300))
    return {"epoch": epoch, "restarts": 0, "run_id": ids.new(at), **due(name, until)}


def _card(table: DynamoTable, item: Mapping[str, Any], version: int | None) -> dict[str, Any]:
    if version is None:
        card = artifacts.shown(table, item, kinds=("card",)).get("card")
        if card is None:
            raise Forbidden(ITEM, "export", item)
        return card
    found = artifacts.of_version(table, item["owner"], item["id"], "card", version)
    if found is None or found["meta"]["run_id"] not in history.published(table, item):
        raise NoSuchCard(f"This item has no card of version {version} that was ever READY.")
    return found
