"""Deliveries that are due: the next try of one that waits, or of one whose sender died."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.lifecycle.advance import Change, advance, move
from readdo.lifecycle.conditions import holds
from readdo.lifecycle.delivery import DELIVERY
from readdo.store import keys
from readdo.store.due import NOT_DUE
from readdo.store.table import DynamoTable
from readdo.webhooks import deliveries, sender_invocation

WHO = "system:heartbeat"
_DIED = "The last try was begun and nothing was heard of it. It is not tried again by itself; you can redeliver it."


def attend(table: DynamoTable, row: Mapping[str, Any], at: str) -> str:
    key = keys.delivery(row["owner"], row["webhook"], row["id"])
    seen = {"epoch": row["epoch"], "due_seen": row["due_at"], "now": at}
    if holds(DELIVERY.guard("give_up"), row, seen):
        died = {"at": at, "message": _DIED}
        change = Change(sets={"attempts": [*row["attempts"], died]}, removes=NOT_DUE, params=seen)
        advance(table, move(DELIVERY, "give_up", key, who=WHO, at=at, change=change))
        return "give_up"
    by = clock.after(at, deliveries.GRACE_SECONDS)
    sets = deliveries.next_try(row["webhook"] + row["id"], by, epoch=row["epoch"] + 1, tries=row["tries"] + 1)
    begun = advance(table, move(DELIVERY, "try_again", key, who=WHO, at=at, change=Change(sets=sets, params=seen)))
    sender_invocation.send(begun)
    return "try_again"
