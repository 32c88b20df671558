"""What a capture writes: the item's first row, and its page's row, by which a second capture joins it."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from readdo import clock
from readdo.ids import digest
from readdo.lifecycle.conditions import either, same
from readdo.lifecycle.item import CAPTURED
from readdo.lifecycle.write import ABSENT, Table, Write, put_new
from readdo.read.capture_request import CaptureRequest
from readdo.read.same_page import page_of
from readdo.runtime import seconds
from readdo.store import keys
from readdo.store.artifacts import KINDS
from readdo.store.due import due
from readdo.store.inbox import place

DOMAIN_MAX = 200
TAGS_MAX = 50
INTENTS_MAX = 20  # listed; the item is written a dozen times, and its size is paid for each time


def first_row(owner: str, item_id: str, wish: CaptureRequest, at: str) -> dict[str, Any]:
    given = {
        "url": wish.url,
        "title": wish.title,
        "domain": wish.domain or (urlsplit(wish.url).hostname or "")[:DOMAIN_MAX],
        "language": wish.language,
        "tags": list(wish.tags),
    }
    row: dict[str, Any] = {
        "id": item_id,
        "owner": owner,
        "created_at": min(at, wish.saved_at or at),
        "intent_text": wish.intent_text,
        "source_type": wish.source_type,
        "profile": wish.profile,
        **{name: value for name, value in given.items() if value},
        "made": {},
        "versions": dict.fromkeys((*KINDS, "export"), 0),
        "lease_epoch": 0,
        "attempts": 0,
        "reclaims": 0,
        **place(CAPTURED, item_id),
    }
    if wish.process:
        row |= due(item_id, clock.after(at, seconds("START_GRACE_SECONDS", 60)))
    return row


def with_intent(item: dict[str, Any], text: str) -> list[str]:
    """Every reason it was saved for, the first first."""
    known = item.get("intents") or [item["intent_text"]]
    return known if text in known else [*known[: INTENTS_MAX - 1], text]


def with_tags(item: dict[str, Any], tags: Sequence[str]) -> dict[str, list[str]]:
    """What is said of it besides, after what it has."""
    had = item.get("tags", [])
    more = [tag for tag in dict.fromkeys(tags) if tag not in had]
    return {"tags": [*had, *more][:TAGS_MAX]} if more else {}


def page_digest(url: str) -> str:
    return digest(page_of(url))


def item_of_page(table: Table, owner: str, page: str) -> str | None:
    row = table.get(keys.page(owner, page))
    return row["item"] if row else None


def page_taken(owner: str, page: str, item_id: str) -> Write:
    return put_new(keys.page(owner, page), {"item": item_id})


def page_left(owner: str, page: str, item_id: str) -> Write:
    mine = either(ABSENT, same("item", "mine"))
    return Write(keys.page(owner, page), "delete", condition=mine, params={"mine": item_id})
