"""Rows that a capture writes: the item's first row, and its page's row, which later captures join."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from readdo import clock
from readdo.ids import digest
from readdo.lifecycle.conditions import either, same
from readdo.lifecycle.item import CAPTURED
from readdo.lifecycle.write import ABSENT, Table, Write, put_new
from readdo.read import item_keys
from readdo.read.artifacts import KINDS
from readdo.read.capture_request import CaptureRequest
from readdo.read.inbox import place
from readdo.read.page_identity import page_of
from readdo.runtime import seconds
from readdo.store.due import due

DOMAIN_MAX = 200
TAGS_MAX = 50
INTENTS_MAX = 20  # the item is written a dozen times, and each write is charged by its size


def first_row(owner: str, item_id: str, request: CaptureRequest, at: str) -> dict[str, Any]:
    optional = {
        "url": request.url,
        "title": request.title,
        "domain": request.domain or (urlsplit(request.url).hostname or "")[:DOMAIN_MAX],
        "language": request.language,
        "tags": list(request.tags),
    }
    row: dict[str, Any] = {
        "id": item_id,
        "owner": owner,
        "created_at": min(at, request.saved_at or at),
        "intent_text": request.intent_text,
        "source_type": request.source_type,
        "profile": request.profile,
        **{name: value for name, value in optional.items() if value},
        "made": {},
        "versions": dict.fromkeys((*KINDS, "export"), 0),
        "lease_epoch": 0,
        "attempts": 0,
        "reclaims": 0,
        **place(CAPTURED, item_id),
    }
    if request.process:
        row |= due(item_id, clock.after(at, seconds("START_GRACE_SECONDS", 60)))
    return row


def with_intent(item: dict[str, Any], text: str) -> list[str]:
    """All reasons for saving the item, in their order."""
    intents = item.get("intents") or [item["intent_text"]]
    return intents if text in intents else [*intents[: INTENTS_MAX - 1], text]


def with_tags(item: dict[str, Any], tags: Sequence[str]) -> dict[str, list[str]]:
    """New tags follow the existing ones."""
    existing = item.get("tags", [])
    new = [tag for tag in dict.fromkeys(tags) if tag not in existing]
    return {"tags": [*existing, *new][:TAGS_MAX]} if new else {}


def page_digest(url: str) -> str:
    return digest(page_of(url))


def item_of_page(table: Table, owner: str, page: str) -> str | None:
    row = table.get(item_keys.page(owner, page))
    return row["item"] if row else None


def page_taken(owner: str, page: str, item_id: str) -> Write:
    return put_new(item_keys.page(owner, page), {"item": item_id})


def page_left(owner: str, page: str, item_id: str) -> Write:
    mine = either(ABSENT, same("item", "mine"))
    return Write(item_keys.page(owner, page), "delete", condition=mine, params={"mine": item_id})
