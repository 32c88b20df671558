"""Capture: a link or a text, and one line on why it was saved. The item rests in CAPTURED or goes on by itself."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from readdo import clock, files, ids
from readdo.lifecycle.advance import Change, NotFound, Refused, advance, advance_all, create, move
from readdo.lifecycle.item import CAPTURED, ITEM
from readdo.lifecycle.machine import USER
from readdo.lifecycle.write import Busy, Table, WriteRefused
from readdo.read import queue, workflows
from readdo.runtime import logger, seconds
from readdo.store import idempotency, keys
from readdo.store.artifacts import KINDS
from readdo.store.due import due
from readdo.store.inbox import place

_TRIES = 4
DOMAIN_MAX = 200
CAPTURE_ID, CAPTURE_KEY = "capture", "capture-key"


@dataclass(frozen=True)
class Wish:
    """What a capture asks for, checked already."""

    intent_text: str
    url: str = ""
    content: str = ""
    title: str = ""
    domain: str = ""
    source_type: str = "web"
    profile: str = "engineer"
    language: str = ""
    process: bool = True
    capture_id: str = ""
    idempotency_key: str = ""

    @property
    def key(self) -> tuple[str, str] | None:
        """`capture_id` names the item, so its first body wins; a key is a promise about the body."""
        if self.capture_id:
            return CAPTURE_ID, self.capture_id
        return (CAPTURE_KEY, self.idempotency_key) if self.idempotency_key else None

    @property
    def fingerprint(self) -> str:
        if self.capture_id:
            return CAPTURE_ID
        return idempotency.fingerprint(idempotency.wished(self, but=("idempotency_key",)))


def capture(table: Table, owner: str, wish: Wish, at: str) -> tuple[dict[str, Any], bool]:
    """The item, and whether it is new."""
    for _ in range(_TRIES):
        known = _known(table, owner, wish, at)
        if known is not None:
            return _with_text(table, known, wish, at), False
        try:
            return _new(table, owner, wish, at), True
        except WriteRefused:
            continue  # another capture with this key was faster: the next look finds its item
    raise Busy("capture")


def _known(table: Table, owner: str, wish: Wish, at: str) -> dict[str, Any] | None:
    if wish.key is None:
        return None
    item_id = idempotency.remembered(table, owner, *wish.key, wish.fingerprint, at)
    if item_id is None:
        return None
    item = table.get(keys.item(owner, item_id))
    if item is None:
        raise NotFound(ITEM, "capture", None)
    return item


def _new(table: Table, owner: str, wish: Wish, at: str) -> dict[str, Any]:
    item_id = ids.new(at)
    row = _row(owner, item_id, wish, at)
    creation = create(ITEM, "capture", keys.item(owner, item_id), row, who="user", at=at)
    record = []
    if wish.key:
        record = [idempotency.record(owner, *wish.key, wish.fingerprint, item_id, at, kept=True)]
    try:
        advance_all(table, *record, creation)
    except WriteRefused:
        if "content_ref" in row:
            files.remove(row["content_ref"])
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
    except Exception:
        logger.exception("not enqueued; the heartbeat will", extra={"item": item["id"]})
        return
    workflows.process_item(queued)


def _row(owner: str, item_id: str, wish: Wish, at: str) -> dict[str, Any]:
    given = {
        "url": wish.url,
        "title": wish.title,
        "domain": wish.domain or (urlsplit(wish.url).hostname or "")[:DOMAIN_MAX],
        "language": wish.language,
    }
    row: dict[str, Any] = {
        "id": item_id,
        "owner": owner,
        "created_at": at,
        "intent_text": wish.intent_text,
        "source_type": wish.source_type,
        "profile": wish.profile,
        **{name: value for name, value in given.items() if value},
        "made": {},
        "versions": dict.fromkeys((*KINDS, "export"), 0),
        "lease_epoch": 0,
        "attempts": 0,
        "reclaims": 0,
        **place(CAPTURED, item_id),
    }
    if wish.process:
        row |= due(item_id, clock.after(at, seconds("START_GRACE_SECONDS", 60)))
    if wish.content:
        row["content_ref"] = _keep_text(owner, item_id, wish.content)
    return row


def _keep_text(owner: str, item_id: str, content: str) -> str:
    body = content.encode("utf-8", "replace")
    key = f"content/{owner}/{item_id}/{files.sha256(body)[:32]}"
    files.put_once(key, body, "text/plain; charset=utf-8")
    return key


def _with_text(table: Table, item: dict[str, Any], wish: Wish, at: str) -> dict[str, Any]:
    """A joined capture's text is kept if the item has none yet."""
    if not wish.content or "attach_text" not in ITEM.open_to(USER, item):
        return item
    key = _keep_text(item["owner"], item["id"], wish.content)
    change = Change(sets={"content_ref": key})
    place_of = keys.item(item["owner"], item["id"])
    try:
        return advance(table, move(ITEM, "attach_text", place_of, who="user", at=at, change=change))
    except Refused:
        return item  # it went on without this text
