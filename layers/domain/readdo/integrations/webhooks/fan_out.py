"""Create the deliveries of the state changes of an item or a proof job.

A stream record only says that an item was written. The history of the item is the source: all its changes that were not
announced yet are announced, so a lost record is made up for by the next one. The key of a delivery consists of the
change and the webhook, so a repeated or concurrent call creates it only once.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from readdo import clock
from readdo.integrations import integration_keys
from readdo.integrations.rows import DeliveryRow, WebhookRow
from readdo.integrations.webhooks import deliveries, events, subscriptions
from readdo.integrations.webhooks.events import Event, ItemEvent, JobEvent
from readdo.lifecycle.advance import Forbidden, advance, create, living
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.write import ABSENT, Compare, Table, Write, WriteRefused, either
from readdo.proof import job_keys
from readdo.read import history
from readdo.read.rows import ItemRow, ItemTombstone
from readdo.store.table import DynamoTable

WHO = "system:announce"
# Older changes are not announced. Deliveries are kept for longer, so none is created twice.
LOOK_BACK_SECONDS = 20 * 86_400


def announce(table: DynamoTable, row: dict[str, Any], of_owners: dict[str, list[WebhookRow]], at: str) -> int:
    """Create deliveries and return their number. `of_owners` caches webhooks by owner during a batch."""
    if _is_in_progress(row):
        return 0
    owner = row["owner"]
    if owner not in of_owners:
        of_owners[owner] = subscriptions.active(table, owner)
    since = clock.after(at, -LOOK_BACK_SECONDS)
    pairs = [(news, hook) for news in events_of(row) for hook in of_owners[owner] if _wants(hook, news, since)]
    if not pairs:
        return 0
    announced = _last_announced(table, owner, row["id"])
    created = [_create_delivery(table, hook, news, row, at) for news, hook in pairs if not 0 < news.number <= announced]
    _note(table, owner, row["id"], max(news.number for news in events_of(row)), announced, at)
    return sum(created)


def events_of(row: dict[str, Any]) -> Iterator[Event]:
    """The state changes in the history of an item or a job, oldest first. For a tombstone, the deletion."""
    if row.get("sk", "").startswith(job_keys.JOB_PREFIX):
        yield from _events_of_job(row)
        return
    if living(row) is None:
        gone = cast("ItemTombstone", row)
        yield ItemEvent(gone["owner"], gone["id"], 0, gone["deleted_at"], "delete", None, events.DELETED)
        return
    before: str | None = None
    item = cast("ItemRow", row)
    for number, entry in history.numbered(item):
        yield ItemEvent(
            item["owner"], item["id"], number, entry["at"], entry["what"], before, entry["to"], entry.get("run")
        )
        before = entry["to"]


def _events_of_job(row: dict[str, Any]) -> Iterator[JobEvent]:
    owner, job = row["owner"], row["id"]
    if living(row) is None:
        yield JobEvent(owner, job, 0, row["deleted_at"], "reset", None, "cancelled/")
        return
    before: str | None = None
    for number, entry in enumerate(row["history"], start=1):
        yield JobEvent(owner, job, number, entry["at"], entry["what"], before, entry["to"])
        before = entry["to"]


def _is_in_progress(row: Mapping[str, Any]) -> bool:
    """A step wrote an artifact without a state change. (The filter of the stream cannot express this.)"""
    return bool(row.get("made")) and row.get("status") == "PROCESSING"


def _wants(hook: WebhookRow, news: Event, since: str) -> bool:
    wants = hook["wants"]
    subscribed_at = wants.get(news.to, wants.get(events.ANY))
    return subscribed_at is not None and news.at >= max(subscribed_at, since)


def _last_announced(table: Table, owner: str, item: str) -> int:
    row = table.get(integration_keys.announcement(owner, item))
    return int(row["told"]) if row else 0


def _note(table: Table, owner: str, item: str, number: int, announced: int, at: str) -> None:
    """Record the last announced change. This only saves work: the key of a delivery prevents duplicates."""
    if number <= announced:
        return
    row = {"told": number, "expires": clock.epoch_seconds(clock.after(at, deliveries.KEPT_SECONDS))}
    is_newer = either(ABSENT, Compare("told", "<", number))
    try:
        table.write(Write(integration_keys.announcement(owner, item), "put", condition=is_newer, row=row))
    except WriteRefused:
        return  # a concurrent call recorded a newer change


def _create_delivery(table: Table, hook: WebhookRow, news: Event, row: Mapping[str, Any], at: str) -> bool:
    first = deliveries.first(hook, news.id, at, event=news.name, body=news.body(row), item=news.item)
    key = integration_keys.delivery(news.owner, hook["id"], news.id)
    try:
        delivery = advance(table, create(DELIVERY, "announce", key, first, who=WHO, at=at))
    except Forbidden:
        return False  # it exists already
    deliveries.send(cast("DeliveryRow", delivery))
    return True
