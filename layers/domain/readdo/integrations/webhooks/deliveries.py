"""Create, list, test and redeliver deliveries of webhooks."""

from typing import Any, cast

from readdo import clock
from readdo.errors import BadCursor
from readdo.integrations import integration_keys
from readdo.integrations.rows import AttemptStart, DeliveryRow, DeliverySubject, NewDelivery, WebhookRow, delivery_row
from readdo.integrations.webhooks import events, subscriptions, views
from readdo.invocations import invoke_function
from readdo.lifecycle.advance import Change, Conflict, Move, NotFound, advance_all, check, create, move
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import VERSION_SEEN, Busy, Compare, Table, WriteRefused, apply_write
from readdo.store import keys
from readdo.store.keys import Expiry, due
from readdo.store.table import DynamoTable

KEPT_SECONDS = 30 * 86_400
GRACE_SECONDS = 60  # an attempt without a result after this time is repeated
PAGE = 20
_ATTEMPTS = 32


def send(delivery: DeliveryRow) -> None:
    payload = {"owner": delivery["owner"], "webhook": delivery["webhook"], "delivery": delivery["id"]}
    invoke_function("DELIVER_ARN", {**payload, "epoch": delivery["epoch"]})


def first(hook: WebhookRow, delivery_id: str, at: str, *, event: str, body: str, item: str = "") -> NewDelivery:
    """The row of a new delivery. Its first attempt starts immediately."""
    subject: DeliverySubject = {"item": item} if item else {}
    return {
        "owner": hook["owner"],
        "webhook": hook["id"],
        "id": delivery_id,
        "attempts": [],
        "created_at": at,
        "event": event,
        "body": body,
        **subject,
        **expiry(at),
        **next_attempt(hook["id"] + delivery_id, clock.after(at, GRACE_SECONDS), epoch=1, tries=1),
    }


def expiry(at: str) -> Expiry:
    ends = clock.after(at, KEPT_SECONDS)
    return {"expires_at": ends, "expires": clock.epoch_seconds(ends)}


def next_attempt(name: str, by: str, *, epoch: int, tries: int) -> AttemptStart:
    return {"epoch": epoch, "tries": tries, **due(name, by)}


def list_deliveries(
    table: DynamoTable, owner: str, hook_id: str, cursor: str, now: str
) -> tuple[list[DeliveryRow], str]:
    """A page of deliveries, newest first, and the cursor of the next page. Expired rows are skipped."""
    start = dict(integration_keys.delivery(owner, hook_id, cursor)._asdict()) if cursor else None
    page = table.query(
        keys.partition(integration_keys.deliveries(owner, hook_id)),
        newest_first=True,
        limit=PAGE,
        start=start,
        only=Compare("expires_at", ">", now),
    )
    rows = [cast("DeliveryRow", row) for row in page.rows]
    return rows, str(page.next_key["sk"]).partition("#")[2] if page.next_key else ""


def test(table: Table, request: subscriptions.IdempotentRequest, hook_id: str, at: str) -> dict[str, Any]:
    """Send a test event."""
    for _ in range(_ATTEMPTS):
        hook = subscriptions.find_webhook(table, request.owner, hook_id)
        if response := request.first_answer(table, at):
            return dict(response)
        delivery_id = clock.new_id(at)
        body = events.test_body(delivery_id, at)
        row = first(hook, delivery_id, at, event=events.TEST, body=body)
        creation = create(
            DELIVERY, "test", integration_keys.delivery(request.owner, hook_id, delivery_id), row, who=USER, at=at
        )
        try:
            return _start(table, request, creation, cast("DeliveryRow", dict(creation.write.row)), at)
        except WriteRefused:
            continue
    raise Busy(hook_id)


def redeliver(
    table: Table, request: subscriptions.IdempotentRequest, hook_id: str, delivery_id: str, at: str
) -> dict[str, Any]:
    """Send an event again immediately, with all its retries, in any status."""
    key = integration_keys.delivery(request.owner, hook_id, delivery_id)
    for _ in range(_ATTEMPTS):
        subscriptions.find_webhook(table, request.owner, hook_id)
        if response := request.first_answer(table, at):
            return dict(response)
        row = delivery_row(table, request.owner, hook_id, delivery_id)
        if row is None or row["expires_at"] <= at:
            raise NotFound(DELIVERY, "redeliver", None)
        by = clock.after(at, GRACE_SECONDS)
        sets = {**expiry(at), **next_attempt(hook_id + delivery_id, by, epoch=row["epoch"] + 1, tries=1)}
        change = Change(sets=sets, condition=VERSION_SEEN, params={"seen_version": row["version"]})
        transition = move(DELIVERY, "redeliver", key, who=USER, at=at, change=change)
        try:
            return _start(table, request, transition, cast("DeliveryRow", apply_write(transition.write, row)), at)
        except WriteRefused:
            continue  # a concurrent request with the same key
        except Conflict as conflict:
            if conflict.machine is not DELIVERY:
                raise
    raise Busy(delivery_id)


def _start(
    table: Table, request: subscriptions.IdempotentRequest, step: Move, row: DeliveryRow, at: str
) -> dict[str, Any]:
    response = views.delivery(row)
    is_active = check(WEBHOOK, "send", integration_keys.webhook(request.owner, row["webhook"]))
    advance_all(table, *request.record(response, at), step, is_active)
    send(row)
    return response


def cursor_of(text: str, is_id: bool) -> str:
    if text and not is_id:
        raise BadCursor
    return text
