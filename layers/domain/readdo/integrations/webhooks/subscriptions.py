"""Add, list, change and remove webhooks. A secret is written once, and only the sender reads it."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.errors import Rejected
from readdo.integrations import integration_keys
from readdo.integrations.rows import WebhookFields, WebhookRow, webhook_row
from readdo.integrations.webhooks import events, signatures, views
from readdo.lifecycle.advance import Change, Conflict, NotFound, advance_all, create, living, move
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import (
    ABSENT,
    VERSION_SEEN,
    Busy,
    Compare,
    Table,
    Write,
    WriteRefused,
    apply_write,
    either,
    holds,
    put_new,
)
from readdo.runtime import log_error
from readdo.store import idempotency, keys
from readdo.store.table import DynamoTable

HOOKS_MAX = 10
OPERATION = "webhook"
_ATTEMPTS = 32
_TOMBSTONE_SECONDS = 86_400


class TooMany(Rejected):
    """The owner has the maximum number of webhooks."""

    key = "rejected.hooks_full"


@dataclass(frozen=True)
class IdempotentRequest:
    """A request with an optional idempotency key."""

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


def add(
    table: Table, request: IdempotentRequest, url: str, names: Iterable[str], at: str
) -> tuple[dict[str, Any], str]:
    """Add a webhook. Returns its view and its secret; no secret for a repeated idempotency key."""
    for _ in range(_ATTEMPTS):
        if first := request.first_answer(table, at):
            return first, ""
        owner, hook_id, secret = request.owner, clock.new_id(at), signatures.new_secret()
        row: WebhookFields = {
            "owner": owner,
            "id": hook_id,
            "url": url,
            "misses": 0,
            "created_at": at,
            "wants": dict.fromkeys(events.expand_events(names), at),
        }
        creation = create(WEBHOOK, "add", integration_keys.webhook(owner, hook_id), row, who=USER, at=at)
        view = views.webhook(cast("WebhookRow", dict(creation.write.row)))
        secret_row = put_new(integration_keys.webhook_secret(owner, hook_id), {"secret": secret})
        count = _count_one_more(owner)
        try:
            advance_all(table, *request.record(view, at), creation, secret_row, count)
        except WriteRefused as refused:
            if refused.write is count:
                raise TooMany(limit=HOOKS_MAX) from refused
            continue  # a concurrent request with the same key: the next iteration returns its response
        return view, secret
    raise Busy("webhook")


def _count_one_more(owner: str) -> Write:
    below_limit = either(ABSENT, Compare("webhooks", "<", HOOKS_MAX))
    sets = {"last_write": secrets.token_hex(6)}
    return Write(integration_keys.webhooks_counted(owner), condition=below_limit, sets=sets, adds={"webhooks": 1})


def list_webhooks(table: DynamoTable, owner: str) -> list[WebhookRow]:
    """The webhooks of an owner, oldest first."""
    rows = table.query_all(
        keys.partition(integration_keys.webhooks(owner)), keys.stretch(integration_keys.WEBHOOK_PREFIX)
    )
    return [cast("WebhookRow", row) for row in rows if living(row)]


def active(table: DynamoTable, owner: str) -> list[WebhookRow]:
    """The active webhooks.

    The read is eventually consistent and costs half: it happens for each change of each item, and most owners have no
    webhook. A stream record arrives later than the replication delay.
    """
    page = table.query(
        keys.partition(integration_keys.webhooks(owner)),
        between=keys.stretch(integration_keys.WEBHOOK_PREFIX),
        consistent=False,
    )
    return [cast("WebhookRow", row) for row in page.rows if living(row) and holds(WEBHOOK.guard("send"), row, {})]


def find_webhook(table: Table, owner: str, hook_id: str) -> WebhookRow:
    row = webhook_row(table, owner, hook_id)
    if row is None:
        raise NotFound(WEBHOOK, "change", None)
    return row


def change(table: Table, request: IdempotentRequest, hook_id: str, patch: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Change a webhook. `patch`: url, events and paused; missing fields stay as they are."""
    for _ in range(_ATTEMPTS):
        row = find_webhook(table, request.owner, hook_id)
        if first := request.first_answer(table, at):
            return dict(first)
        step = _change_of(row, patch)
        sets = Change(step.sets, step.adds, step.removes, VERSION_SEEN, {"seen_version": row["version"]})
        transition = move(
            WEBHOOK,
            _trigger(row, patch),
            integration_keys.webhook(request.owner, hook_id),
            who=USER,
            at=at,
            change=sets,
        )
        view = views.webhook(cast("WebhookRow", apply_write(transition.write, row)))
        try:
            advance_all(table, *request.record(view, at), transition)
        except WriteRefused:
            continue
        except Conflict as conflict:
            if conflict.row and conflict.row["version"] != row["version"]:
                continue
            raise
        return view
    raise Busy("webhook")


def _trigger(row: WebhookRow, patch: Mapping[str, Any]) -> str:
    """`pause` and `resume` only if they change the status."""
    paused = patch.get("paused")
    trigger = "pause" if paused else "resume"
    return "change" if paused is None or row["status"] == WEBHOOK.target(trigger) else trigger


def _change_of(row: WebhookRow, patch: Mapping[str, Any]) -> Change:
    at = clock.now()
    is_resumed = _trigger(row, patch) == "resume"
    before = row["wants"]
    names = events.expand_events(patch.get("events") or before)
    # An earlier subscription keeps its start. A new or resumed one starts now.
    wants = {name: at if is_resumed else before.get(name, before.get(events.ANY, at)) for name in names}
    sets: dict[str, Any] = {"wants": wants, "url": patch.get("url") or row["url"]}
    return Change({**sets, "misses": 0}, removes=("problem",)) if is_resumed or "url" in patch else Change(sets)


def remove(table: DynamoTable, owner: str, hook_id: str, at: str) -> None:
    expires = clock.epoch_seconds(clock.after(at, _TOMBSTONE_SECONDS))
    removal = move(
        WEBHOOK,
        "remove",
        integration_keys.webhook(owner, hook_id),
        who=USER,
        at=at,
        change=Change(sets={"expires": expires}),
    )
    count = Write(integration_keys.webhooks_counted(owner), adds={"webhooks": -1})
    advance_all(table, removal, Write(integration_keys.webhook_secret(owner, hook_id), "delete"), count)
    try:
        table.delete_all(table.keys_of(integration_keys.deliveries(owner, hook_id)))
    except Exception as error:
        log_error("deliveries not swept away; they expire", error, webhook=hook_id)
