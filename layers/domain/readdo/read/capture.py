"""Capture: a link or a text, and one line on why it was saved. The item rests in CAPTURED or goes on by itself.

first            a new item, with its key's record and its page's row in the same transaction
same key         refused by the record: the item of that key, as it is now
same page        refused by the page's row: the item of that page gets one more intent, nothing is read again
two at once      one of them is refused by the row that the other wrote, looks, and finds it
"""

from dataclasses import dataclass
from typing import Any

from readdo import ids
from readdo.error_redaction import log_error
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
from readdo.lifecycle.apply import applied
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.machine import USER
from readdo.lifecycle.write import Busy, Table, Write, WriteRefused
from readdo.read import item_rows, queue, workflows
from readdo.read.capture_request import CaptureRequest
from readdo.read.item_transactions import under_the_version
from readdo.store import idempotency, keys, texts

_TRIES = 64  # of many captures of one page at once, each joins after another


class ItemDeleted(Exception):
    """The key is that of an item that was deleted, and whose last work may still be under way."""


@dataclass(frozen=True)
class CaptureResult:
    item: dict[str, Any]
    new: bool
    joined: bool


@dataclass(frozen=True)
class _Key:
    """What is remembered of the caller's key: its item, or the answer that led to one that is no more."""

    item: dict[str, Any] | None = None
    joined: bool = False
    gone: dict[str, Any] | None = None


def capture(table: Table, owner: str, wish: CaptureRequest, at: str) -> CaptureResult:
    page = item_rows.page_digest(wish.url) if wish.url else ""
    for tried in range(_TRIES):
        # Mostly it is new, and its own write finds out if it is not: nobody looks before there is a reason to.
        known = _remembered(table, owner, wish, at) if tried else _Key()
        if known.item is not None:
            return CaptureResult(_with_text(table, known.item, wish, at), False, known.joined)
        twin = _item_of(table, owner, page) if tried and page else None
        try:
            if twin is not None and wish.on_duplicate == "join":
                return CaptureResult(_join(table, twin, wish, at, known), False, True)
            return CaptureResult(_new(table, owner, wish, at, known, "" if twin else page), True, False)
        except (WriteRefused, Conflict, Forbidden, NotFound):
            continue  # another capture was faster, or the item was changed or deleted meanwhile: look again
    raise Busy("capture")


def _remembered(table: Table, owner: str, wish: CaptureRequest, at: str) -> _Key:
    if wish.key is None:
        return _Key()
    answer = idempotency.first_answer(table, owner, *wish.key, wish.fingerprint, at)
    if answer is None:
        return _Key()
    row = table.get(keys.item(owner, answer["item"]))
    if row is None:
        return _Key(gone=answer)
    if living(row) is None:
        raise ItemDeleted
    return _Key(row, answer["joined"])


def _record(owner: str, wish: CaptureRequest, item_id: str, at: str, known: _Key, *, joined: bool) -> tuple[Write, ...]:
    if wish.key is None:
        return ()
    answer = {"item": item_id, "joined": joined}
    return (idempotency.record(owner, *wish.key, wish.fingerprint, answer, at, kept=True, instead_of=known.gone),)


def _item_of(table: Table, owner: str, page: str) -> dict[str, Any] | None:
    item_id = item_rows.item_of_page(table, owner, page)
    return living(table.get(keys.item(owner, item_id))) if item_id else None


def _join(table: Table, item: dict[str, Any], wish: CaptureRequest, at: str, known: _Key) -> dict[str, Any]:
    change = Change(
        sets={
            "intents": item_rows.with_intent(item, wish.intent_text),
            "save_count": item.get("save_count", 1) + 1,
            **item_rows.with_tags(item, wish.tags),
        }
    )
    record = _record(item["owner"], wish, item["id"], at, known, joined=True)
    joining = under_the_version("join", item, at, change)
    advance_all(table, *record, joining)
    return _with_text(table, applied(joining.write, item), wish, at)


def _new(table: Table, owner: str, wish: CaptureRequest, at: str, known: _Key, page: str) -> dict[str, Any]:
    item_id = ids.new(min(at, wish.saved_at or at))  # by which lists are sorted
    row = item_rows.first_row(owner, item_id, wish, at)
    beside = list(_record(owner, wish, item_id, at, known, joined=False))
    if wish.content:
        row["content_ref"], text = texts.keep(owner, item_id, wish.content)
        beside += text
    if page:
        row["page"] = page
        beside.append(item_rows.page_taken(owner, page, item_id))
    creation = create(ITEM, "capture", keys.item(owner, item_id), row, who="user", at=at)
    try:
        advance_all(table, *beside, creation)
    except WriteRefused:
        if wish.content:
            texts.forget(row["content_ref"])
        raise
    item = dict(creation.write.row)
    if wish.process:
        enqueue(table, item, at)
    return item


def enqueue(table: Table, item: dict[str, Any], at: str) -> None:
    """At once, and without a promise: what fails here is found by the item's due time."""
    try:
        queued = advance(table, queue.new_run("enqueue", item, who="system:http_api", at=at))
    except Refused:
        return  # somebody was faster
    except Exception as error:
        log_error("not enqueued; the heartbeat will", error, item=item["id"])
        return
    workflows.process_item(queued)


def _with_text(table: Table, item: dict[str, Any], wish: CaptureRequest, at: str) -> dict[str, Any]:
    """A joined capture's text is kept if the item has none yet."""
    if not wish.content or "attach_text" not in ITEM.open_to(USER, item):
        return item
    kept = texts.keep(item["owner"], item["id"], wish.content)
    change = Change(sets={"content_ref": kept.ref})
    place_of = keys.item(item["owner"], item["id"])
    try:
        advance_all(table, move(ITEM, "attach_text", place_of, who="user", at=at, change=change), *kept.beside)
    except Refused:
        return item  # it went on without this text
    return living(table.get(place_of)) or item
