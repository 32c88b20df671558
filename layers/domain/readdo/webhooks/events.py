"""What a webhook may be told of: every state that an item reaches, and that it was deleted."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo import ids
from readdo.lifecycle.item import FAILED, ITEM

DELETED, ANY, ANY_FAILURE = "DELETED", "*", "FAILED_*"
NAMES = (*ITEM.states, DELETED, ANY_FAILURE, ANY)
TEST = "webhook.test"
# As the list shows an item, without what was written about it or why it was saved: a receiver is another house.
_OF_ITEM = (
    *("id", "status", "created_at", "url", "title", "domain", "source_type"),
    *("priority", "match_score", "archive_reason"),
)
_OF_FAILURE = ("failed_step", "error_code", "message", "retryable")


@dataclass(frozen=True)
class ItemEvent:
    """One move of an item. `number` counts its moves, and is what a receiver orders them by; of a deletion it is 0."""

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
        """The same each time this move is looked at, so that it is told once."""
        return ids.of(self.at, self.owner, self.item, str(self.number), self.to)

    @property
    def name(self) -> str:
        return f"item.{self.to.lower()}"

    def body(self, row: Mapping[str, Any]) -> str:
        return _text(
            id=self.id,
            type=self.name,
            at=self.at,
            item=_shown(row),
            move=self.number,
            trigger=self.trigger,
            run_id=self.run_id,
            **{"from": self.before, "to": self.to},
        )


def test_body(event_id: str, at: str) -> str:
    return _text(id=event_id, type=TEST, at=at)


def spelled(events: Iterable[str]) -> tuple[str, ...]:
    """Each state by its name, once; `*` alone if it is among them."""
    named = [one for name in events for one in (FAILED if name == ANY_FAILURE else (name,))]
    return (ANY,) if ANY in named else tuple(dict.fromkeys(named))


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: row[name] for name in _OF_ITEM if name in row}
    failure = row.get("failure")
    return found | ({"failure": {name: failure[name] for name in _OF_FAILURE}} if failure else {})


def _text(**said: Any) -> str:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))
