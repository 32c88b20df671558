"""Deliveries as they begin, are listed and are asked for again."""

from collections.abc import Mapping
from typing import Any

from readdo import clock, ids
from readdo.lifecycle.advance import Change, Conflict, Move, NotFound, advance_all, check, create, living, move
from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import VERSION_SEEN, Compare
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.machine import USER
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Busy, Table, WriteRefused
from readdo.store import keys
from readdo.store.due import due
from readdo.store.inbox import BadCursor
from readdo.store.table import DynamoTable
from readdo.webhooks import events, sender_invocation, subscriptions, views

KEPT_SECONDS = 30 * 86_400
GRACE_SECONDS = 60  # a try that has not been heard of by then is made again
PAGE = 20
_TRIES = 32


def first(hook: Mapping[str, Any], delivery_id: str, at: str, **said: Any) -> dict[str, Any]:
    """A delivery's row as it begins: its first try is made at once."""
    return {
        "owner": hook["owner"],
        "webhook": hook["id"],
        "id": delivery_id,
        "attempts": [],
        "created_at": at,
        **said,
        **kept(at),
        **next_try(hook["id"] + delivery_id, clock.after(at, GRACE_SECONDS), epoch=1, tries=1),
    }


def kept(at: str) -> dict[str, Any]:
    ends = clock.after(at, KEPT_SECONDS)
    return {"expires_at": ends, "expires": clock.epoch_seconds(ends)}


def next_try(name: str, by: str, *, epoch: int, tries: int) -> dict[str, Any]:
    return {"epoch": epoch, "tries": tries, **due(name, by)}


def list_deliveries(
    table: DynamoTable, owner: str, hook_id: str, cursor: str, now: str
) -> tuple[list[dict[str, Any]], str]:
    """Newest first, and where to go on. What is past its time may still lie there, and is not shown."""
    start = dict(keys.delivery(owner, hook_id, cursor)._asdict()) if cursor else None
    page = table.query(
        keys.partition(keys.deliveries(owner, hook_id)),
        newest_first=True,
        limit=PAGE,
        start=start,
        only=Compare("expires_at", ">", now),
    )
    return page.rows, str(page.next_key["sk"]).partition("#")[2] if page.next_key else ""


def test(table: Table, asked: subscriptions.IdempotentRequest, hook_id: str, at: str) -> dict[str, Any]:
    """An event that says nothing of anything, sent as all are."""
    for _ in range(_TRIES):
        hook = subscriptions.find_webhook(table, asked.owner, hook_id)
        if answered := asked.first_answer(table, at):
            return dict(answered)
        delivery_id = ids.new(at)
        body = events.test_body(delivery_id, at)
        row = first(hook, delivery_id, at, event=events.TEST, body=body)
        making = create(DELIVERY, "test", keys.delivery(asked.owner, hook_id, delivery_id), row, who=USER, at=at)
        try:
            return _begun(table, asked, making, dict(making.write.row), at)
        except WriteRefused:
            continue
    raise Busy(hook_id)


def again(
    table: Table, asked: subscriptions.IdempotentRequest, hook_id: str, delivery_id: str, at: str
) -> dict[str, Any]:
    """The same event once more, at once and with all its tries, however it stands."""
    key = keys.delivery(asked.owner, hook_id, delivery_id)
    for _ in range(_TRIES):
        subscriptions.find_webhook(table, asked.owner, hook_id)
        if answered := asked.first_answer(table, at):
            return dict(answered)
        row = living(table.get(key))
        if row is None or row["expires_at"] <= at:
            raise NotFound(DELIVERY, "redeliver", None)
        by = clock.after(at, GRACE_SECONDS)
        sets = {**kept(at), **next_try(hook_id + delivery_id, by, epoch=row["epoch"] + 1, tries=1)}
        change = Change(sets=sets, condition=VERSION_SEEN, params={"seen_version": row["version"]})
        moving = move(DELIVERY, "redeliver", key, who=USER, at=at, change=change)
        try:
            return _begun(table, asked, moving, applied(moving.write, row), at)
        except WriteRefused:
            continue  # the same key at the same time
        except Conflict as conflict:
            if conflict.machine is not DELIVERY:
                raise
    raise Busy(delivery_id)


def _begun(
    table: Table, asked: subscriptions.IdempotentRequest, step: Move, row: dict[str, Any], at: str
) -> dict[str, Any]:
    shown = views.delivery(row)
    may_be_sent = check(WEBHOOK, "send", keys.webhook(asked.owner, row["webhook"]))
    advance_all(table, *asked.record(shown, at), step, may_be_sent)
    sender_invocation.send(row)
    return shown


def cursor_of(text: str, is_id: bool) -> str:
    if text and not is_id:
        raise BadCursor("This cursor is not one that was given. Start again without it.")
    return text
