"""Types of the rows of webhooks, deliveries and the Notion mirror, and how they are read."""

from typing import NotRequired, TypedDict, cast

from readdo.integrations import integration_keys
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Table
from readdo.messages import MessageFields
from readdo.store.keys import DueFields, Expiry, MaybeDue, StatusFields


class WebhookFields(TypedDict):
    owner: str
    id: str
    url: str
    misses: int
    created_at: str
    wants: dict[str, str]  # state → time from which its changes are sent


class WebhookRow(WebhookFields, StatusFields):
    """A webhook that is not removed."""

    problem: NotRequired[str]


class AttemptEntry(TypedDict):
    at: str
    message: str
    status: NotRequired[int]
    answer: NotRequired[str]


class AttemptStart(DueFields):
    """Fields that every attempt of a delivery writes first."""

    epoch: int
    tries: int


class DeliverySubject(TypedDict, total=False):
    """The item of an event. A test event has none."""

    item: str


class NewDelivery(DeliverySubject, Expiry, MaybeDue):
    owner: str
    webhook: str
    id: str
    event: str
    body: str
    attempts: list[AttemptEntry]
    created_at: str
    epoch: int
    tries: int


class DeliveryRow(NewDelivery, StatusFields):
    pass


class MirrorTrouble(MessageFields):
    code: str
    message: str


class NewMirror(MaybeDue):
    owner: str
    epoch: int
    taken: int
    news: int
    created_at: str


class MirrorRow(NewMirror, StatusFields):
    filled: NotRequired[str]
    synced_at: NotRequired[str]
    tries: NotRequired[int]
    trouble: NotRequired[MirrorTrouble]


def webhook_row(table: Table, owner: str, hook_id: str) -> WebhookRow | None:
    row = living(table.get(integration_keys.webhook(owner, hook_id)))
    return cast("WebhookRow", row) if row is not None else None


def delivery_row(table: Table, owner: str, hook_id: str, delivery_id: str) -> DeliveryRow | None:
    row = living(table.get(integration_keys.delivery(owner, hook_id, delivery_id)))
    return cast("DeliveryRow", row) if row is not None else None


def mirror_row(table: Table, owner: str) -> MirrorRow | None:
    row = living(table.get(integration_keys.mirror(owner)))
    return cast("MirrorRow", row) if row is not None else None
