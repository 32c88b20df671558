"""Response models of the API calls."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict

from readdo.account.requests import Scope
from readdo.integrations.webhooks import events
from readdo.integrations.webhooks.signatures import PREFIX
from readdo.integrations.webhooks.subscriptions import HOOKS_MAX
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.webhook import WEBHOOK
from readdo.net.http_post import BODY_START_MAX
from readdo.store import tokens

from . import backups
from .artifacts import AnyArtifact, EditedArtifact, ExportArtifact, Shown, Versions
from .desks import DESKS, do_models
from .fields import NEXT_CURSOR, Answer, Count, Id, Time, Version, component, one_of, optional, required
from .imports import ImportAnswer, ImportsAnswer, LinesAnswer
from .items import Action, Failure, HistoryEntry, Item, ListedItem, Reference

STATUS_OF_WEBHOOK = "ACTIVE: deliveries are sent. PAUSED: you paused them. DISABLED: too many deliveries failed."
SECRET = f"^{PREFIX}[A-Za-z0-9_-]{{43}}$"


class ItemAnswer(Answer):
    """The item after the call."""

    item: Item | Reference = required("The item.")


class JoinedAnswer(Answer):
    """The item that the capture was added to."""

    item: Item | Reference = required("The item after the call.")
    joined: Literal[True] = optional("true: the page was already saved, and the intent was added to its item.")


class ItemsAnswer(Answer):
    """A page of items."""

    items: list[ListedItem] = required("The items, in the requested order.", maxItems=100)
    next_cursor: str | None = required(NEXT_CURSOR)


class DetailAnswer(Answer):
    """An item with its artifacts, exports and available actions."""

    item: Item = required("The item.")
    artifacts: Shown = required("The current artifacts.")
    exports: list[ExportArtifact] = required("All exports in any status, oldest first.")
    failure: Failure = optional("Why the item failed. Only while it is FAILED_*.")
    tasks: do_models.TasksOfItem = optional("The tasks created from its todos, and their progress.")
    available_actions: list[Action] = required("Actions that are available now.")
    history: list[HistoryEntry] = optional("All state changes, oldest first. Only with `include_history`.")
    versions: Versions = optional("The versions of each artifact. Only with `versions`.")


class DoneInBatch(Answer):
    """An item for which the action succeeded."""

    id: str = required("The id from the request.")
    ok: Literal[True] = required("The action succeeded.")
    item: Item | Reference = optional("The item after the action. Missing after a delete or an export.")
    export: ExportArtifact = optional("The export. Only for the action export.")


class RefusedInBatch(Answer):
    """An item for which the action failed."""

    id: str = required("The id from the request.")
    ok: Literal[False] = required("The action failed.")
    error: Annotated[Any, component("ErrorWords")] = required("The error, as the call for a single item returns it.")


class BatchAnswer(Answer):
    """The results of a batch."""

    results: list[DoneInBatch | RefusedInBatch] = required(
        "One result for each item, in the order of `ids`.", maxItems=100
    )


class EditAnswer(Answer):
    """The edited artifact and its item."""

    item: Item | Reference = required("The item.")
    artifact: EditedArtifact = required("Your version of the artifact.")


class VersionAnswer(Answer):
    """A version of an artifact."""

    artifact: AnyArtifact = required("The complete version.")


class ExportAnswer(Answer):
    """An export and its item."""

    item: Item | Reference = required("The item after the call.")
    export: ExportArtifact = required("The export.")


class _TokenFields(Answer):
    id: str = required("Unique identifier of the token. This is not the secret.", pattern=f"^{tokens.ID.pattern}$")
    name: str = required("Name of the token.")
    scopes: list[Scope] = required("Scopes of the token.")
    created_at: Time = required("Time of creation.")
    expires_at: Time = required("Time of expiry.")


class ListedToken(_TokenFields):
    """A token without its secret."""

    current: bool = required("Whether this request uses the token.")


class NewTokenShown(_TokenFields):
    """A new token."""

    secret: str = optional(
        "The secret for the Authorization header. Returned only once, with 201.", pattern="^rdo_[A-Za-z0-9_-]{43}$"
    )


class TokensAnswer(Answer):
    """Your valid tokens."""

    tokens: list[ListedToken] = required("Newest first, without their secrets.")


class TokenAnswer(Answer):
    """A token."""

    token: NewTokenShown = required("The token.")


class _WebhookFields(Answer):
    id: Id = required("Unique identifier of the webhook.")
    url: str = required("URL that receives the deliveries.")
    events: list[str] = required(
        "Events that trigger a delivery.", items=one_of((*ITEM.states, events.DELETED, *events.JOB_NAMES, events.ANY))
    )
    status: str = required(STATUS_OF_WEBHOOK, **one_of(WEBHOOK.states))
    created_at: Time = required("Time of creation.")
    updated_at: Time = required("Time of the last change.")
    misses: Count = required("Consecutive deliveries that failed after all retries.")
    problem: str = optional("Why the webhook is DISABLED.")


class Webhook(_WebhookFields):
    """A URL that receives a request when an item changes."""


class WebhookShown(_WebhookFields):
    """A webhook. A new one has its secret."""

    secret: str = optional("The secret that signs the deliveries. Returned only once, with 201.", pattern=SECRET)


class WebhooksAnswer(Answer):
    """Your webhooks."""

    webhooks: list[Webhook] = required("Oldest first, without their secrets.", maxItems=HOOKS_MAX)


class WebhookAnswer(Answer):
    """A webhook."""

    webhook: WebhookShown = required("The webhook.")


class Attempt(Answer):
    """An attempt to send a delivery."""

    at: Time = required("Time when the attempt ended.")
    status: int = optional("HTTP status of the response. Missing if there was no response.", minimum=100, maximum=999)
    message: str = required("The result in words, or why there was no response.")
    answer: str = optional("The beginning of the response body, as text.", maxLength=BODY_START_MAX)


class Delivery(Answer):
    """A delivery of an event to a webhook."""

    id: Id = required("Id of the event. Each attempt sends it in the header Readdo-Event-Id.")
    event: str = required("Type of the event, such as item.ready or webhook.test.")
    status: str = required("Current status of the delivery.", **one_of(DELIVERY.states))
    item: Id = optional("The item that changed.")
    created_at: Time = required("Time of creation.")
    tries: Version = required("Attempts started since the delivery was last requested.")
    attempts: list[Attempt] = required("Finished attempts, oldest first.", maxItems=21)
    next_try_at: Time = optional("Time of the next attempt or check. Only while the delivery is waiting.")
    expires_at: Time = required("Time when this record is deleted.")


class DeliveriesAnswer(Answer):
    """A page of deliveries."""

    deliveries: list[Delivery] = required("Newest first.")
    next_cursor: str | None = required(NEXT_CURSOR)


class DeliveryAnswer(Answer):
    """A delivery."""

    delivery: Delivery = required("The new delivery.")


class GatewayMessage(Answer):
    """An error of the gateway. The request did not reach the API."""

    model_config = ConfigDict(extra="allow")

    message: str = required("The error message of the gateway.")


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
    *(model for desk in DESKS for model in desk.answers),
)
