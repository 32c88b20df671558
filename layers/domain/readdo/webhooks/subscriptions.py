"""An owner's webhooks: added, listed, changed, removed. Their secret is written once, and only the sender reads it."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo import clock, ids
from readdo.error_redaction import log_error
from readdo.lifecycle.advance import Change, Conflict, NotFound, advance_all, create, living, move
from readdo.lifecycle.apply import applied
from readdo.lifecycle.conditions import VERSION_SEEN, Compare, either, holds
from readdo.lifecycle.machine import USER
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import ABSENT, Busy, Table, Write, WriteRefused, put_new
from readdo.store import idempotency, keys
from readdo.store.table import DynamoTable
from readdo.webhooks import events, signatures, views

HOOKS_MAX = 10
OPERATION = "webhook"
_TRIES = 32
_TOMBSTONE_SECONDS = 86_400


class TooMany(Exception):
    """The owner has as many webhooks as one may have."""


@dataclass(frozen=True)
class IdempotentRequest:
    """A request under the caller's own key, if there is one."""

    owner: str
    key: str
    fingerprint: str

    def first_answer(self, table: Table, at: str) -> Any:
        if not self.key:
            return None
        return idempotency.first_answer(table, self.owner, OPERATION, self.key, self.fingerprint, at)

    def record(self, answer: Any, at: str) -> tuple[Write, ...]:
        if not self.key:
            return ()
        return (idempotency.record(self.owner, OPERATION, self.key, self.fingerprint, answer, at),)


def add(table: Table, asked: IdempotentRequest, url: str, wanted: Iterable[str], at: str) -> tuple[dict[str, Any], str]:
    """The webhook as it is shown, and its secret; no secret if the key has been answered before."""
    for _ in range(_TRIES):
        if first := asked.first_answer(table, at):
            return first, ""
        owner, hook_id, secret = asked.owner, ids.new(at), signatures.new_secret()
        row = {"owner": owner, "id": hook_id, "url": url, "misses": 0, "created_at": at}
        row |= {"wants": dict.fromkeys(events.spelled(wanted), at)}
        making = create(WEBHOOK, "add", keys.webhook(owner, hook_id), row, who=USER, at=at)
        shown = views.webhook(making.write.row)
        kept = put_new(keys.webhook_secret(owner, hook_id), {"secret": secret})
        counted = _counted(owner)
        try:
            advance_all(table, *asked.record(shown, at), making, kept, counted)
        except WriteRefused as refused:
            if refused.write is counted:
                raise TooMany from refused
            continue  # the same key at the same time: the next look finds its answer
        return shown, secret
    raise Busy("webhook")


def _counted(owner: str) -> Write:
    room = either(ABSENT, Compare("webhooks", "<", HOOKS_MAX))
    sets = {"last_write": secrets.token_hex(6)}
    return Write(keys.webhooks_counted(owner), condition=room, sets=sets, adds={"webhooks": 1})


def list_webhooks(table: DynamoTable, owner: str) -> list[dict[str, Any]]:
    """The living ones, oldest first."""
    rows = table.query_all(keys.partition(keys.webhooks(owner)), keys.stretch(keys.WEBHOOK_PREFIX))
    return [row for row in rows if living(row)]


def active(table: DynamoTable, owner: str) -> list[dict[str, Any]]:
    """Those that are told, as they were a moment ago: at half the price, since most owners have none, and each move of
    each item asks. A record of the stream comes later than such a moment lasts."""
    page = table.query(
        keys.partition(keys.webhooks(owner)), between=keys.stretch(keys.WEBHOOK_PREFIX), consistent=False
    )
    return [row for row in page.rows if living(row) and holds(WEBHOOK.guard("send"), row, {})]


def find_webhook(table: Table, owner: str, hook_id: str) -> dict[str, Any]:
    row = living(table.get(keys.webhook(owner, hook_id)))
    if row is None:
        raise NotFound(WEBHOOK, "change", None)
    return row


def change(table: Table, asked: IdempotentRequest, hook_id: str, wish: Mapping[str, Any], at: str) -> dict[str, Any]:
    """`wish`: url, events, paused; what is not named stays."""
    for _ in range(_TRIES):
        row = find_webhook(table, asked.owner, hook_id)
        if first := asked.first_answer(table, at):
            return dict(first)
        step = _changing(row, wish)
        sets = Change(step.sets, step.adds, step.removes, VERSION_SEEN, {"seen_version": row["version"]})
        moving = move(WEBHOOK, _trigger(row, wish), keys.webhook(asked.owner, hook_id), who=USER, at=at, change=sets)
        shown = views.webhook(applied(moving.write, row))
        try:
            advance_all(table, *asked.record(shown, at), moving)
        except WriteRefused:
            continue
        except Conflict as conflict:
            if conflict.row and conflict.row["version"] != row["version"]:
                continue
            raise
        return shown
    raise Busy("webhook")


def _trigger(row: Mapping[str, Any], wish: Mapping[str, Any]) -> str:
    """To pause what is paused, or to resume what is active, changes nothing of that."""
    paused = wish.get("paused")
    trigger = "pause" if paused else "resume"
    return "change" if paused is None or row["status"] == WEBHOOK.target(trigger) else trigger


def _changing(row: Mapping[str, Any], wish: Mapping[str, Any]) -> Change:
    at = clock.now()
    resumes = _trigger(row, wish) == "resume"
    before: Mapping[str, str] = row["wants"]
    wanted = events.spelled(wish.get("events") or before)
    # What was wished before is told from where it was wished; what was not, or was paused, from now on.
    wants = {name: at if resumes else before.get(name, before.get(events.ANY, at)) for name in wanted}
    sets: dict[str, Any] = {"wants": wants, "url": wish.get("url") or row["url"]}
    return Change({**sets, "misses": 0}, removes=("problem",)) if resumes or "url" in wish else Change(sets)


def remove(table: DynamoTable, owner: str, hook_id: str, at: str) -> None:
    gone = clock.epoch_seconds(clock.after(at, _TOMBSTONE_SECONDS))
    leaving = move(
        WEBHOOK, "remove", keys.webhook(owner, hook_id), who=USER, at=at, change=Change(sets={"expires": gone})
    )
    fewer = Write(keys.webhooks_counted(owner), adds={"webhooks": -1})
    advance_all(table, leaving, Write(keys.webhook_secret(owner, hook_id), "delete"), fewer)
    try:
        table.delete_all(table.keys_of(keys.deliveries(owner, hook_id)))
    except Exception as error:
        log_error("deliveries not swept away; they expire", error, webhook=hook_id)
