"""The answers that the calls name, each as a model."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict

from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.webhook import WEBHOOK
from readdo.net.http_post import SAID_MAX
from readdo.store import tokens
from readdo.web.requests import Scope
from readdo.webhooks import events
from readdo.webhooks.signatures import PREFIX
from readdo.webhooks.subscriptions import HOOKS_MAX

from . import backups, work
from .artifacts import AnyArtifact, EditedArtifact, ExportArtifact, Shown, Versions
from .fields import Answer, Count, Id, Time, Version, component, maybe, one_of, told
from .imports import ImportAnswer, ImportsAnswer, LinesAnswer
from .items import Action, Failure, HistoryEntry, Item, ListedItem, Reference

SECRET = f"^{PREFIX}[A-Za-z0-9_-]{{43}}$"


class ItemAnswer(Answer):
    """The item as the call leaves it."""

    item: Item | Reference = told("The item.")


class JoinedAnswer(Answer):
    """The item that this capture is."""

    item: Item | Reference = told("The item as it is now.")
    joined: Literal[True] = maybe("The page was saved already, and the intent is listed with its item.")


class ItemsAnswer(Answer):
    """One page of the inbox."""

    items: list[ListedItem] = told("In the order that was asked for.", maxItems=100)
    next_cursor: str | None = told("Where to go on; null at the end.")


class DetailAnswer(Answer):
    """One item with all that is shown of it."""

    item: Item = told("The item.")
    artifacts: Shown = told("What was made of it.")
    exports: list[ExportArtifact] = told("Every export, oldest first, however it stands.")
    failure: Failure = maybe("The item's failure, while it is FAILED_*.")
    tasks: work.TasksOfItem = maybe("How far the tasks are that its todos have become.")
    available_actions: list[Action] = told("What can be done now.")
    history: list[HistoryEntry] = maybe("With `include_history`: every move, oldest first.")
    versions: Versions = maybe("With `versions`: the versions of each artifact.")


class DoneInBatch(Answer):
    """An item for which it was done."""

    id: str = told("As it was asked for.")
    ok: Literal[True] = told("It was done.")
    item: Item | Reference = maybe("The item; not after a delete or an export.")
    export: ExportArtifact = maybe("After an export: how it stands.")


class RefusedInBatch(Answer):
    """An item for which it could not be done."""

    id: str = told("As it was asked for.")
    ok: Literal[False] = told("It was not done.")
    error: Annotated[Any, component("ErrorWords")] = told("Why, as its own call would say it.")


class BatchAnswer(Answer):
    """What became of each."""

    results: list[DoneInBatch | RefusedInBatch] = told("In the order of `ids`, each once.", maxItems=100)


class EditAnswer(Answer):
    """Your version, and the item that shows it."""

    item: Item | Reference = told("The item.")
    artifact: EditedArtifact = told("Your version.")


class VersionAnswer(Answer):
    """One version of an artifact."""

    artifact: AnyArtifact = told("The version, whole.")


class ExportAnswer(Answer):
    """An export and its item."""

    item: Item | Reference = told("The item as it is now.")
    export: ExportArtifact = told("The export.")


class _TokenFields(Answer):
    id: str = told("The token's name.", pattern=f"^{tokens.ID.pattern}$")
    name: str = told("What it is for.")
    scopes: list[Scope] = told("What it may do.")
    created_at: Time = told("When it was made.")
    expires_at: Time = told("When it ends.")


class ListedToken(_TokenFields):
    """A token of yours."""

    current: bool = told("Whether it is the one that asks.")


class NewTokenShown(_TokenFields):
    """A token that was just made."""

    secret: str = maybe("What goes behind Bearer; shown once, with 201.", pattern="^rdo_[A-Za-z0-9_-]{43}$")


class TokensAnswer(Answer):
    """Your tokens that still live, newest first."""

    tokens: list[ListedToken] = told("Without their secrets.")


class TokenAnswer(Answer):
    """A token."""

    token: NewTokenShown = told("The token.")


class _WebhookFields(Answer):
    id: Id = told("The webhook.")
    url: str = told("Who is told.")
    events: list[str] = told("Of what.", items=one_of((*ITEM.states, events.DELETED, events.ANY)))
    status: str = told("ACTIVE is told; PAUSED by you; DISABLED because it would not listen.", **one_of(WEBHOOK.states))
    created_at: Time = told("When it was added.")
    updated_at: Time = told("When it changed last.")
    misses: Count = told("Deliveries in a row that were given up.")
    problem: str = maybe("Why it is DISABLED.")


class Webhook(_WebhookFields):
    """An address that is told of items' moves."""


class WebhookShown(_WebhookFields):
    """A webhook, with its secret when it was just added."""

    secret: str = maybe("What its deliveries are signed with; shown once, with 201.", pattern=SECRET)


class WebhooksAnswer(Answer):
    """Your webhooks, oldest first."""

    webhooks: list[Webhook] = told("Without their secrets.", maxItems=HOOKS_MAX)


class WebhookAnswer(Answer):
    """A webhook."""

    webhook: WebhookShown = told("The webhook.")


class Attempt(Answer):
    """One try of a delivery."""

    at: Time = told("When it ended.")
    status: int = maybe("What the receiver answered.", minimum=100, maximum=999)
    message: str = told("The same in words, or why there was no answer.")
    answer: str = maybe("The beginning of the answer's body, as text.", maxLength=SAID_MAX)


class Delivery(Answer):
    """One event on its way to one webhook."""

    id: Id = told("The event's: its header Readdo-Event-Id, the same for each try.")
    event: str = told("Such as item.ready, or webhook.test.")
    status: str = told("Where it stands.", **one_of(DELIVERY.states))
    item: Id = maybe("The item that moved.")
    created_at: Time = told("When it was noted.")
    tries: Version = told("Tries begun since it was asked for.")
    attempts: list[Attempt] = told("What became of them, oldest first.", maxItems=21)
    next_try_at: Time = maybe("While it waits: when it is tried next, or looked after.")
    expires_at: Time = told("When it is forgotten.")


class DeliveriesAnswer(Answer):
    """One page of deliveries."""

    deliveries: list[Delivery] = told("Newest first.")
    next_cursor: str | None = told("Where to go on; null at the end.")


class DeliveryAnswer(Answer):
    """A delivery."""

    delivery: Delivery = told("As it begins.")


class GatewayMessage(Answer):
    """What the gateway says before any of this is asked."""

    model_config = ConfigDict(extra="allow")

    message: str = told("In its own words.")


ANSWERS = (
    ItemAnswer,
    JoinedAnswer,
    ItemsAnswer,
    DetailAnswer,
    BatchAnswer,
    EditAnswer,
    VersionAnswer,
    ExportAnswer,
    *backups.ANSWERS,
    ImportAnswer,
    ImportsAnswer,
    LinesAnswer,
    TokensAnswer,
    TokenAnswer,
    WebhooksAnswer,
    WebhookAnswer,
    DeliveriesAnswer,
    DeliveryAnswer,
    GatewayMessage,
    *work.ANSWERS,
)
