"""Make one attempt of a delivery: check the fence, sign, send, and write the result atomically."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost
from readdo.integrations import integration_keys
from readdo.integrations.rows import AttemptEntry, DeliveryRow, WebhookRow, delivery_row, webhook_row
from readdo.integrations.webhooks import signatures
from readdo.lifecycle.advance import Change, Conflict, Forbidden, Move, NotFound, advance_all, move
from readdo.lifecycle.delivery import DELAYS, DELIVERY
from readdo.lifecycle.webhook import MISSES, WEBHOOK
from readdo.lifecycle.write import Busy, Key, Table, holds
from readdo.net.http_post import PostResult
from readdo.store.keys import NOT_DUE, due

Post = Callable[[str, bytes, Mapping[str, str]], PostResult]
WHO = "system:deliver"
GONE = 410
_WRITE_ATTEMPTS = 32
_ATTEMPTS_KEPT = 20
_MISSED = f"{MISSES} deliveries in a row failed after all retries. Nothing is sent until you resume the webhook."
_DISMISSED = "The receiver responded with 410 (Gone). Nothing is sent until you resume the webhook."
_NOT_ACTIVE = "The webhook was paused, disabled or removed before this delivery was sent."


@dataclass(frozen=True)
class DeliveryAttempt:
    """The event of the sender function: ids and an epoch."""

    owner: str
    webhook: str
    delivery: str
    epoch: int

    @property
    def key(self) -> Key:
        return integration_keys.delivery(self.owner, self.webhook, self.delivery)

    @property
    def hook(self) -> Key:
        return integration_keys.webhook(self.owner, self.webhook)

    @property
    def fence(self) -> dict[str, Any]:
        return {"epoch": self.epoch}


def deliver(table: Table, attempt: DeliveryAttempt, post: Post) -> str:
    """Make an attempt. Returns the state of the delivery after it."""
    row = delivery_row(table, attempt.owner, attempt.webhook, attempt.delivery)
    if row is None or not holds(DELIVERY.guard("arrive"), row, attempt.fence):
        raise LeaseLost(f"{attempt.delivery} at {attempt.epoch}")
    hook = webhook_row(table, attempt.owner, attempt.webhook)
    secret_row = table.get(integration_keys.webhook_secret(attempt.owner, attempt.webhook))
    if hook is None or secret_row is None or not holds(WEBHOOK.guard("send"), hook, {}):
        return _end(table, attempt, row, PostResult(0, _NOT_ACTIVE, final=True), "")
    body = row["body"].encode()
    seconds = clock.epoch_seconds(clock.now())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "ReadDo/1.0",
        "Readdo-Event": row["event"],
        "Readdo-Event-Id": row["id"],
        "Readdo-Signature": signatures.signature(secret_row["secret"], seconds, body),
    }
    return _end(table, attempt, row, post(hook["url"], body, headers), hook["url"])


def _end(table: Table, attempt: DeliveryAttempt, row: DeliveryRow, response: PostResult, sent_to: str) -> str:
    ending = _ending(attempt, row, response, clock.now())
    effects = _webhook_changes(ending, response, sent_to)
    for _ in range(_WRITE_ATTEMPTS):
        hook = webhook_row(table, attempt.owner, attempt.webhook) if effects else None
        hook_moves = _webhook_move(attempt, hook, effects, sent_to)
        try:
            advance_all(table, ending, *hook_moves)
        except (Conflict, Forbidden, NotFound) as refused:
            if refused.machine is DELIVERY:
                raise LeaseLost(str(refused)) from refused
            continue  # the webhook changed between the read and the write
        return ending.target
    raise Busy(attempt.delivery)


def _ending(attempt: DeliveryAttempt, row: DeliveryRow, response: PostResult, at: str) -> Move:
    entry: AttemptEntry = {"at": at, "message": response.words}
    if response.status:
        entry["status"] = response.status
    if response.body_start:
        entry["answer"] = response.body_start
    sets: dict[str, Any] = {"attempts": [*row["attempts"], entry][-_ATTEMPTS_KEPT:]}
    can_retry = not response.final and response.status != GONE and holds(DELIVERY.guard("postpone"), row, attempt.fence)
    trigger = "arrive" if response.is_success else "postpone" if can_retry else "fail"
    if trigger == "postpone":
        sets |= due(attempt.webhook + attempt.delivery, clock.after(at, DELAYS[row["tries"] - 1]))
    change = Change(sets=sets, removes=() if trigger == "postpone" else NOT_DUE, params=attempt.fence)
    return move(DELIVERY, trigger, attempt.key, who=WHO, at=at, change=change)


def _webhook_changes(ending: Move, response: PostResult, sent_to: str) -> Mapping[str, Change]:
    """Trigger → change of the webhook after a delivery. The first trigger that its state allows is used."""
    if ending.trigger == "arrive":
        return {"arrive": Change(sets={"misses": 0})}
    if ending.trigger != "fail" or not sent_to:
        return {}
    if response.status == GONE:
        return {"dismiss": Change(sets={"problem": _DISMISSED})}
    return {"miss": Change(adds={"misses": 1}), "disable": Change(sets={"problem": _MISSED}, adds={"misses": 1})}


def _webhook_move(
    attempt: DeliveryAttempt, hook: WebhookRow | None, effects: Mapping[str, Change], sent_to: str
) -> tuple[Move, ...]:
    if hook is None:
        return ()
    params = {"sent_to": sent_to}
    for trigger, effect in effects.items():
        if holds(WEBHOOK.guard(trigger), hook, params):
            change = replace(effect, params=params)
            return (move(WEBHOOK, trigger, attempt.hook, who=WHO, at=clock.now(), change=change),)
    return ()
