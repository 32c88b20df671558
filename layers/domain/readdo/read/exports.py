"""Export requests. One key stands for one set of files, even if the item changes meanwhile."""

from dataclasses import dataclass, replace
from typing import Any, cast

from readdo import clock
from readdo.errors import Rejected
from readdo.lifecycle.advance import Change, Conflict, Forbidden, Move, NotFound, advance_all, create, move
from readdo.lifecycle.export import EXPORT, FAILED
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import Busy, Table, apply_write, same
from readdo.read import artifacts, history, item_keys, queue
from readdo.read.item_keys import export_row, item_row
from readdo.read.queue import NO_TRIES
from readdo.read.rows import ExportRow, ExportStart, ItemRow, NewExport
from readdo.runtime import seconds
from readdo.store import idempotency, keys
from readdo.store.idempotency import KeyReused
from readdo.store.keys import due
from readdo.store.table import DynamoTable

_TRIES = 32
USUAL_FORMATS = ("png", "md", "caption")


class NoSuchCard(Rejected):
    """The requested card version does not exist, or was never READY."""

    key = "rejected.card_missing"
    code, field = "VALIDATION_ERROR", "card_version"


class SetReplaced(Rejected):
    """The key belongs to results that the item no longer serves."""

    key = "rejected.export_replaced"
    code = "EXPORT_NOT_ALLOWED"


@dataclass(frozen=True)
class ExportRequest:
    key: str
    formats: tuple[str, ...]
    theme: str = "LIGHT"
    layout: str = "CARD_4x5_V1"
    card_version: int | None = None

    @property
    def fingerprint(self) -> str:
        fields = idempotency.fingerprint_of(self, but=("key",))
        return idempotency.fingerprint({**fields, "formats": sorted(self.formats)})

    def under(self, key: str) -> "ExportRequest":
        return replace(self, key=key)

    @classmethod
    def of(cls, row: ExportRow) -> "ExportRequest":
        """The request that created this export."""
        request = cls(row["export_key"], tuple(row["formats"]), row["theme"], row["layout"], row["card_version"])
        without_version = replace(request, card_version=None)
        return without_version if without_version.fingerprint == row["fingerprint"] else request


USUAL = ExportRequest("", USUAL_FORMATS)


def default_key(table: DynamoTable, owner: str, item_id: str, request: ExportRequest = USUAL) -> str:
    """Default key: derived from the served results, the shown card and the options of the request."""
    item = item_row(table, owner, item_id)
    if item is None:
        raise NotFound(ITEM, "export", None)
    card = str(item.get("edited", {}).get("card", ""))
    return clock.digest(item_id, item.get("served_run_id", ""), card, request.fingerprint)


def find(table: Table, owner: str, item_id: str, key: str) -> ExportRow | None:
    return export_row(table, owner, item_id, key)


def request_export(table: DynamoTable, owner: str, item_id: str, request: ExportRequest, at: str) -> ExportRow:
    """The export's row: created, found, or started again after a failure."""
    for _ in range(_TRIES):
        row = find(table, owner, item_id, request.key)
        if row is not None and row["fingerprint"] != request.fingerprint:
            raise KeyReused(request.key)
        if row is not None and row["status"] != FAILED:
            return row
        item = item_row(table, owner, item_id)
        if item is None:
            raise NotFound(ITEM, "export", None)
        if row is not None and row["served_run_id"] != item.get("served_run_id"):
            raise SetReplaced
        moves = _restart(item, row, at) if row is not None else _create(table, item, request, at)
        try:
            advance_all(table, *moves)
        except Conflict:
            continue  # the item changed meanwhile: look again
        except Forbidden as refused:
            if refused.machine is ITEM:
                raise
            continue  # the same key at the same time: the next try finds it
        history.fold(table, cast("ItemRow", apply_write(moves[1].write, item)))
        export = cast("ExportRow", apply_write(moves[0].write, row))
        queue.export_item(export)
        return export
    raise Busy(item_id)


def _create(table: DynamoTable, item: ItemRow, request: ExportRequest, at: str) -> tuple[Move, Move]:
    if "export" not in ITEM.open_to(USER, item):
        raise Forbidden(ITEM, "export", item)  # the write would refuse it, too, but it needs a card first
    card = _card(table, item, request.card_version)
    version = item["versions"]["export"]
    key = item_keys.export(item["owner"], item["id"], request.key)
    row: NewExport = {
        "owner": item["owner"],
        "item": item["id"],
        "export_key": request.key,
        "key_digest": clock.digest(request.key),
        "fingerprint": request.fingerprint,
        "created_at": at,
        "artifact_version": version + 1,
        "card_run": card["meta"]["run_id"],
        "card_version": card["version"],
        "card_by": card["created_by"],
        "formats": list(request.formats),
        "theme": request.theme,
        "layout": request.layout,
        "served_run_id": item.get("served_run_id", ""),
        "files": {},
        "attempts": 0,
        **_start_fields(clock.digest(request.key) + item["id"], at, epoch=1),
    }
    counting = Change(
        sets={"versions.export": version + 1},
        condition=same("versions.export", "seen"),
        params={"seen": version, "served": item.get("served_run_id", "")},
    )
    return create(EXPORT, "request", key, row, who="user", at=at), _item_move(item, counting, at)


def _item_move(item: ItemRow, change: Change, at: str) -> Move:
    return move(ITEM, "export", item_keys.item(item["owner"], item["id"]), who="user", at=at, change=change)


def _restart(item: ItemRow, row: ExportRow, at: str) -> tuple[Move, Move]:
    """Restart a failed export: its files stay, and the missing ones are created."""
    change = Change(
        sets={"attempts": 0, **_start_fields(row["key_digest"] + row["item"], at, epoch=row["epoch"] + 1)},
        removes=("failure",),
        condition=same("epoch", "epoch"),
        params={"epoch": row["epoch"]},
    )
    key = item_keys.export(row["owner"], row["item"], row["export_key"])
    reset = Change(sets=NO_TRIES, params={"served": row["served_run_id"]})
    restart = move(EXPORT, "request_again", key, who="user", at=at, run=row["card_run"], change=change)
    return restart, _item_move(item, reset, at)


def _start_fields(name: str, at: str, *, epoch: int) -> ExportStart:
    """Each start has its own epoch: writes of an earlier start are refused."""
    until = clock.after(at, seconds("EXPORT_SECONDS", 300))
    return {"epoch": epoch, "restarts": 0, "run_id": clock.new_id(at), **due(name, until)}


def _card(table: DynamoTable, item: ItemRow, version: int | None) -> dict[str, Any]:
    if version is None:
        card = artifacts.current_artifacts(table, item, kinds=("card",)).get("card")
        if card is None:
            raise Forbidden(ITEM, "export", item)
        return card
    card = artifacts.of_version(table, item["owner"], item["id"], "card", version)
    if card is None or card["meta"]["run_id"] not in history.published(table, item):
        raise NoSuchCard(version=version)
    return card


def exports_of(table: DynamoTable, owner: str, item_id: str) -> list[ExportRow]:
    rows = table.query_all(
        keys.partition(item_keys.item_partition(owner, item_id)), keys.stretch(item_keys.EXPORT_PREFIX)
    )
    return sorted((cast("ExportRow", row) for row in rows), key=lambda row: row["artifact_version"])
