"""Retry due deliveries: waiting ones, and those whose sender crashed."""

from typing import Any, cast

from readdo import clock
from readdo.integrations import integration_keys
from readdo.integrations.rows import AttemptEntry, DeliveryRow
from readdo.integrations.webhooks import deliveries
from readdo.lifecycle.advance import Change, advance, move
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.write import holds
from readdo.store.keys import NOT_DUE
from readdo.store.table import DynamoTable

WHO = "system:heartbeat"
_CRASHED = "The last attempt started and did not finish. It is not retried automatically: redeliver it."


def attend(table: DynamoTable, due_row: dict[str, Any], at: str) -> str:
    row = cast("DeliveryRow", due_row)
    key = integration_keys.delivery(row["owner"], row["webhook"], row["id"])
    params = {"epoch": row["epoch"], "due_seen": row["due_at"], "now": at}
    if holds(DELIVERY.guard("give_up"), row, params):
        attempt: AttemptEntry = {"at": at, "message": _CRASHED}
        change = Change(sets={"attempts": [*row["attempts"], attempt]}, removes=NOT_DUE, params=params)
        advance(table, move(DELIVERY, "give_up", key, who=WHO, at=at, change=change))
        return "give_up"
    by = clock.after(at, deliveries.GRACE_SECONDS)
    sets = deliveries.next_attempt(row["webhook"] + row["id"], by, epoch=row["epoch"] + 1, tries=row["tries"] + 1)
    delivery = advance(table, move(DELIVERY, "try_again", key, who=WHO, at=at, change=Change(sets=sets, params=params)))
    deliveries.send(cast("DeliveryRow", delivery))
    return "try_again"
