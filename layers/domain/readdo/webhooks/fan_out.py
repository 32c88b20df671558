"""From an item's move to its deliveries. The item's history is the truth: each move is in it by its own write.

A record of the table's stream says that an item was written; what is told is all that its history holds and webhooks
have not been told of, so that a record that is lost is made up for by the next. A move and a webhook make one
delivery, whose key is made of both: looked at twice, or by two at once, it is there once.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from readdo import clock
from readdo.lifecycle.advance import Forbidden, advance, create, living
from readdo.lifecycle.conditions import Compare, either
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.write import ABSENT, Table, Write, WriteRefused
from readdo.store import history, keys
from readdo.store.table import DynamoTable
from readdo.webhooks import deliveries, events, sender_invocation, subscriptions
from readdo.webhooks.events import ItemEvent

WHO = "system:announce"
# What is older was told, or lost, long ago. Deliveries are kept for longer, so that none is made a second time.
LOOK_BACK_SECONDS = 20 * 86_400


def announce(table: DynamoTable, row: Mapping[str, Any], of_owners: dict[str, list[dict[str, Any]]], at: str) -> int:
    """How many deliveries were begun. `of_owners` keeps what was looked up, for as long as a batch takes."""
    if _only_worked_on(row):
        return 0
    owner = row["owner"]
    if owner not in of_owners:
        of_owners[owner] = subscriptions.active(table, owner)
    since = clock.after(at, -LOOK_BACK_SECONDS)
    wanted = [(news, hook) for news in news_of(row) for hook in of_owners[owner] if _wants(hook, news, since)]
    if not wanted:
        return 0
    told = _told(table, owner, row["id"])
    begun = [_begun(table, hook, news, row, at) for news, hook in wanted if not 0 < news.number <= told]
    _note(table, owner, row["id"], max(news.number for news in news_of(row)), told, at)
    return sum(begun)


def news_of(row: Mapping[str, Any]) -> Iterator[ItemEvent]:
    """Every move that the item carries, oldest first; of a tombstone, that the item was deleted."""
    if living(dict(row)) is None:
        yield ItemEvent(row["owner"], row["id"], 0, row["deleted_at"], "delete", None, events.DELETED)
        return
    before: str | None = None
    for number, entry in history.numbered(row):
        yield ItemEvent(
            row["owner"], row["id"], number, entry["at"], entry["what"], before, entry["to"], entry.get("run")
        )
        before = entry["to"]


def _only_worked_on(row: Mapping[str, Any]) -> bool:
    """A step's artifact is no move. (The mapping's filter cannot say this.)"""
    return bool(row.get("made")) and row.get("status") == "PROCESSING"


def _wants(hook: Mapping[str, Any], news: ItemEvent, since: str) -> bool:
    wants: Mapping[str, str] = hook["wants"]
    begins = wants.get(news.to, wants.get(events.ANY))
    return begins is not None and news.at >= max(begins, since)


def _told(table: Table, owner: str, item: str) -> int:
    row = table.get(keys.announced(owner, item))
    return int(row["told"]) if row else 0


def _note(table: Table, owner: str, item: str, number: int, told: int, at: str) -> None:
    """Saves looks, and no more than that: who is told twice is stopped by the delivery's key."""
    if number <= told:
        return
    row = {"told": number, "expires": clock.epoch_seconds(clock.after(at, deliveries.KEPT_SECONDS))}
    further = either(ABSENT, Compare("told", "<", number))
    try:
        table.write(Write(keys.announced(owner, item), "put", condition=further, row=row))
    except WriteRefused:
        return  # somebody is further


def _begun(table: Table, hook: Mapping[str, Any], news: ItemEvent, row: Mapping[str, Any], at: str) -> bool:
    first = deliveries.first(hook, news.id, at, event=news.name, body=news.body(row), item=news.item)
    key = keys.delivery(news.owner, hook["id"], news.id)
    try:
        made = advance(table, create(DELIVERY, "announce", key, first, who=WHO, at=at))
    except Forbidden:
        return False  # it is there
    sender_invocation.send(made)
    return True
