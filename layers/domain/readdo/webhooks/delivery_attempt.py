"""One try of a delivery: the fence is read, it is signed and sent, and how it went is one write."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from readdo import clock
from readdo.errors import LeaseLost
from readdo.lifecycle.advance import Change, Conflict, Forbidden, Move, NotFound, advance_all, living, move
from readdo.lifecycle.conditions import holds
from readdo.lifecycle.delivery import DELAYS, DELIVERY
from readdo.lifecycle.webhook import MISSES, WEBHOOK
from readdo.lifecycle.write import Busy, Key, Table
from readdo.net.http_post import PostResult
from readdo.store import keys
from readdo.store.due import NOT_DUE, due
from readdo.webhooks import signatures

Post = Callable[[str, bytes, Mapping[str, str]], PostResult]
WHO = "system:deliver"
GONE = 410
_TRIES = 32
_ATTEMPTS_KEPT = 20
_MISSED = (
    f"{MISSES} deliveries in a row could not be made, each with all its tries. Nothing is sent until you resume it."
)
_DISMISSED = "The receiver answered 410: it wants no more of these. Nothing is sent until you resume it."
_NOT_ACTIVE = "The webhook was paused, disabled or removed before this could be sent."


@dataclass(frozen=True)
class DeliveryAttempt:
    """What the sender is given: ids and an epoch."""

    owner: str
    webhook: str
    delivery: str
    epoch: int

    @property
    def key(self) -> Key:
        return keys.delivery(self.owner, self.webhook, self.delivery)

    @property
    def hook(self) -> Key:
        return keys.webhook(self.owner, self.webhook)

    @property
    def fence(self) -> dict[str, Any]:
        return {"epoch": self.epoch}


def deliver(table: Table, given: DeliveryAttempt, post: Post) -> str:
    """The state that the delivery is in after this try."""
    row = living(table.get(given.key))
    if row is None or not holds(DELIVERY.guard("arrive"), row, given.fence):
        raise LeaseLost(f"{given.delivery} at {given.epoch}")
    hook = living(table.get(given.hook))
    signed = table.get(keys.webhook_secret(given.owner, given.webhook))
    if hook is None or signed is None or not holds(WEBHOOK.guard("send"), hook, {}):
        return _end(table, given, row, PostResult(0, _NOT_ACTIVE, final=True), "")
    body = row["body"].encode()
    seconds = clock.epoch_seconds(clock.now())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "ReadDo/1.0",
        "Readdo-Event": row["event"],
        "Readdo-Event-Id": row["id"],
        "Readdo-Signature": signatures.signature(signed["secret"], seconds, body),
    }
    return _end(table, given, row, post(hook["url"], body, headers), hook["url"])


def _end(table: Table, given: DeliveryAttempt, row: dict[str, Any], answer: PostResult, sent_to: str) -> str:
    ending = _ending(given, row, answer, clock.now())
    effects = _effects(ending, answer, sent_to)
    for _ in range(_TRIES):
        hook = living(table.get(given.hook)) if effects else None
        beside = _beside(given, hook, effects, sent_to)
        try:
            advance_all(table, ending, *beside)
        except (Conflict, Forbidden, NotFound) as refused:
            if refused.machine is DELIVERY:
                raise LeaseLost(str(refused)) from refused
            continue  # the webhook was changed between the look and the write
        return ending.target
    raise Busy(given.delivery)


def _ending(given: DeliveryAttempt, row: dict[str, Any], answer: PostResult, at: str) -> Move:
    told = {"at": at, "message": answer.words, "status": answer.status or None, "answer": answer.said or None}
    attempt = {name: value for name, value in told.items() if value is not None}
    sets = {"attempts": [*row["attempts"], attempt][-_ATTEMPTS_KEPT:]}
    goes_on = not answer.final and answer.status != GONE and holds(DELIVERY.guard("postpone"), row, given.fence)
    trigger = "arrive" if answer.took_it else "postpone" if goes_on else "fail"
    if trigger == "postpone":
        sets |= due(given.webhook + given.delivery, clock.after(at, DELAYS[row["tries"] - 1]))
    change = Change(sets=sets, removes=() if trigger == "postpone" else NOT_DUE, params=given.fence)
    return move(DELIVERY, trigger, given.key, who=WHO, at=at, change=change)


def _effects(ending: Move, answer: PostResult, sent_to: str) -> Mapping[str, Change]:
    """What the end of a delivery may mean for its webhook: trigger → change, the first that is open counts."""
    if ending.trigger == "arrive":
        return {"arrive": Change(sets={"misses": 0})}
    if ending.trigger != "fail" or not sent_to:
        return {}
    if answer.status == GONE:
        return {"dismiss": Change(sets={"problem": _DISMISSED})}
    return {"miss": Change(adds={"misses": 1}), "disable": Change(sets={"problem": _MISSED}, adds={"misses": 1})}


def _beside(
    given: DeliveryAttempt, hook: dict[str, Any] | None, effects: Mapping[str, Change], sent_to: str
) -> tuple[Move, ...]:
    if hook is None:
        return ()
    params = {"sent_to": sent_to}
    for trigger, effect in effects.items():
        if holds(WEBHOOK.guard(trigger), hook, params):
            change = replace(effect, params=params)
            return (move(WEBHOOK, trigger, given.hook, who=WHO, at=clock.now(), change=change),)
    return ()
