"""Events of webhooks: each state change of an item or a proof job, and its deletion."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.lifecycle.item import FAILED, ITEM
from readdo.lifecycle.proof_job import STATES
from readdo.store.keys import shown

DELETED, ANY, ANY_FAILURE = "DELETED", "*", "FAILED_*"
JOB_CANCELLED = "JOB_CANCELLED"  # by a reset
JOB_NAMES = (*(f"JOB_{state.upper()}" for state in STATES), JOB_CANCELLED)
NAMES = (*ITEM.states, DELETED, ANY_FAILURE, *JOB_NAMES, ANY)
TEST = "webhook.test"
# The fields of a listed item without its intent and reasons, because the receiver is a third party.
_OF_ITEM = (
    *("id", "status", "created_at", "url", "title", "domain", "source_type"),
    *("priority", "match_score", "archive_reason"),
)
_OF_JOB = ("id", "filename", "created_at", "wait_reason", "done_at")
_OF_FAILURE = ("failed_step", "error_code", "message", "retryable")


@dataclass(frozen=True)
class ItemEvent:
    """A state change of an item.

    `number` counts the changes of an item, so that a receiver can order them. For a deletion it is 0.
    """

    owner: str
    item: str
    number: int
    at: str
    trigger: str
    before: str | None
    to: str
    run_id: str | None = None

    @property
    def id(self) -> str:
        """Derived from the change, so that it is delivered only once."""
        return clock.id_of(self.at, self.owner, self.item, str(self.number), self.to)

    @property
    def name(self) -> str:
        return f"item.{self.to.lower()}"

    def body(self, row: Mapping[str, Any]) -> str:
        return _text(
            id=self.id,
            type=self.name,
            at=self.at,
            item=_item_fields(row),
            move=self.number,
            trigger=self.trigger,
            run_id=self.run_id,
            **{"from": self.before, "to": self.to},
        )


@dataclass(frozen=True)
class JobEvent:
    """A state change of a proof job. `number` is as that of an item's event."""

    owner: str
    item: str
    number: int
    at: str
    trigger: str
    before: str | None  # state and phase, as in the table
    status: str

    @property
    def to(self) -> str:
        return f"JOB_{self.status.partition('/')[0].upper()}"

    @property
    def id(self) -> str:
        return clock.id_of(self.at, self.owner, self.item, str(self.number), self.to)

    @property
    def name(self) -> str:
        return f"job.{self.status.partition('/')[0]}"

    def body(self, row: Mapping[str, Any]) -> str:
        state, _, phase = self.status.partition("/")
        job = {**shown(row, _OF_JOB), "state": state, "phase": phase}
        if state == "error" and "failure" in row:
            job["failure"] = shown(row["failure"], _OF_FAILURE)
        change = {"from": self.before, "to": self.status}
        return _text(id=self.id, type=self.name, at=self.at, job=job, move=self.number, trigger=self.trigger, **change)


Event = ItemEvent | JobEvent


def test_body(event_id: str, at: str) -> str:
    return _text(id=event_id, type=TEST, at=at)


def expand_events(events: Iterable[str]) -> tuple[str, ...]:
    """The states of a list of events, without duplicates; only `*` if it is in the list."""
    states = [state for name in events for state in (FAILED if name == ANY_FAILURE else (name,))]
    return (ANY,) if ANY in states else tuple(dict.fromkeys(states))


def _item_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: row[name] for name in _OF_ITEM if name in row}
    failure = row.get("failure")
    return fields | ({"failure": {name: failure[name] for name in _OF_FAILURE}} if failure else {})


def _text(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
