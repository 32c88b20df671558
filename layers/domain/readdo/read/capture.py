"""Capture a link or a text, with a line on why it was saved.

new          the item, its key's record and its page's row in one transaction
same key     refused by the record: returns the item of that key, as it is now
same page    refused by the page's row: that page's item gets one more intent and is not processed again
concurrent   one of them is refused by a row that the other wrote, looks again, and finds it
"""

from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.errors import Rejected
from readdo.lifecycle.advance import (
    Change,
    Conflict,
    Forbidden,
    NotFound,
    Refused,
    advance,
    advance_all,
    create,
    living,
    move,
)
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import Busy, Table, Write, WriteRefused, apply_write
from readdo.read import item_keys, item_rows, queue
from readdo.read.item_keys import item_row
from readdo.read.item_rows import CaptureRequest
from readdo.read.item_transactions import versioned_move
from readdo.read.rows import ItemRow
from readdo.runtime import log_error
from readdo.store import idempotency

_TRIES = 64  # concurrent captures of one page join one after another


class ItemDeleted(Rejected):
    """The key belongs to a deleted item whose last work may still be in progress."""

    key = "rejected.item_deleted"


@dataclass(frozen=True)
class CaptureResult:
    item: ItemRow
    new: bool
    joined: bool


@dataclass(frozen=True)
class _Key:
    """State of the caller's key: its item, or the answer that named an item which no longer exists."""

    item: ItemRow | None = None
    joined: bool = False
    gone: dict[str, Any] | None = None


def capture(table: Table, owner: str, request: CaptureRequest, at: str) -> CaptureResult:
    page = item_rows.page_digest(request.url) if request.url else ""
    for tried in range(_TRIES):
        # Most captures are new, and the write detects those that are not. So the first try reads nothing.
        key = _look_up_key(table, owner, request, at) if tried else _Key()
        if key.item is not None:
            return CaptureResult(_attach_text(table, key.item, request, at), False, key.joined)
        twin = _item_of(table, owner, page) if tried and page else None
        try:
            if twin is not None and request.on_duplicate == "join":
                return CaptureResult(_join(table, twin, request, at, key), False, True)
            return CaptureResult(_create(table, owner, request, at, key, "" if twin else page), True, False)
        except (WriteRefused, Conflict, Forbidden, NotFound):
            continue  # a concurrent capture, or the item was changed or deleted meanwhile: look again
    raise Busy("capture")


def _look_up_key(table: Table, owner: str, request: CaptureRequest, at: str) -> _Key:
    if request.key is None:
        return _Key()
    answer = idempotency.first_answer(table, owner, *request.key, request.fingerprint, at)
    if answer is None:
        return _Key()
    row = table.get(item_keys.item(owner, answer["item"]))
    if row is None:
        return _Key(gone=answer)
    if living(row) is None:
        raise ItemDeleted
    return _Key(cast("ItemRow", row), answer["joined"])


def _record(
    owner: str, request: CaptureRequest, item_id: str, at: str, key: _Key, *, joined: bool
) -> tuple[Write, ...]:
    if request.key is None:
        return ()
    answer = {"item": item_id, "joined": joined}
    return (idempotency.record(owner, *request.key, request.fingerprint, answer, at, kept=True, instead_of=key.gone),)


def _item_of(table: Table, owner: str, page: str) -> ItemRow | None:
    item_id = item_rows.item_of_page(table, owner, page)
    return item_row(table, owner, item_id) if item_id else None


def _join(table: Table, item: ItemRow, request: CaptureRequest, at: str, key: _Key) -> ItemRow:
    change = Change(
        sets={
            "intents": item_rows.with_intent(item, request.intent_text),
            "save_count": item.get("save_count", 1) + 1,
            **item_rows.with_tags(item, request.tags),
        }
    )
    record = _record(item["owner"], request, item["id"], at, key, joined=True)
    joining = versioned_move("join", item, at, change)
    advance_all(table, *record, joining)
    return _attach_text(table, cast("ItemRow", apply_write(joining.write, item)), request, at)


def _create(table: Table, owner: str, request: CaptureRequest, at: str, key: _Key, page: str) -> ItemRow:
    item_id = clock.new_id(min(at, request.saved_at or at))  # lists are sorted by id
    row = item_rows.first_row(owner, item_id, request, at)
    beside = list(_record(owner, request, item_id, at, key, joined=False))
    if request.content:
        row["content_ref"], text = item_rows.keep(owner, item_id, request.content)
        beside += text
    if page:
        row["page"] = page
        beside.append(item_rows.page_taken(owner, page, item_id))
    creation = create(ITEM, "capture", item_keys.item(owner, item_id), row, who="user", at=at)
    try:
        advance_all(table, *beside, creation)
    except WriteRefused:
        if request.content:
            item_rows.forget(row["content_ref"])
        raise
    item = cast("ItemRow", dict(creation.write.row))
    if request.process:
        enqueue(table, item, at)
    return item


def enqueue(table: Table, item: ItemRow, at: str) -> None:
    """Enqueue now, best effort: if it fails, the heartbeat enqueues the item when it is due."""
    try:
        queued = advance(table, queue.new_run("enqueue", item, who="system:http_api", at=at))
    except Refused:
        return  # another caller was faster
    except Exception as error:
        log_error("not enqueued; the heartbeat will", error, item=item["id"])
        return
    queue.process_item(cast("ItemRow", queued))


def _attach_text(table: Table, item: ItemRow, request: CaptureRequest, at: str) -> ItemRow:
    """Store the text of a joined capture if the item has none."""
    if not request.content or "attach_text" not in ITEM.open_to(USER, item):
        return item
    text = item_rows.keep(item["owner"], item["id"], request.content)
    change = Change(sets={"content_ref": text.ref})
    key = item_keys.item(item["owner"], item["id"])
    try:
        advance_all(table, move(ITEM, "attach_text", key, who="user", at=at, change=change), *text.beside)
    except Refused:
        return item  # processing started without this text
    return item_row(table, item["owner"], item["id"]) or item
