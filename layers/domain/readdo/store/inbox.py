"""The inbox: one index, made for its default order. A sort key is band, score, newest; read from the end."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from readdo.lifecycle.advance import living
from readdo.lifecycle.conditions import Clause
from readdo.store import keys
from readdo.store.table import DynamoTable, QueryPage

READY_BANDS = {"READ_NEXT": "8", "WORTH_IT": "7", "IF_TIME": "6", "SKIP": "3"}
BANDS = {
    "CAPTURED": "5",
    "QUEUED": "5",
    "PROCESSING": "5",
    "FAILED_EXTRACTION": "4",
    "FAILED_AI": "4",
    "FAILED_EXPORT": "4",
    "SHIPPED": "2",
    "ARCHIVED": "1",
}
BY_SCORE, NEWEST = "priority_score_desc", "created_desc"
SORTS = (BY_SCORE, NEWEST)
LOOKS = 1000  # rows that one call may look at to find what passes a filter
_STRIDE = 100
SEARCHED = ("title", "domain", "intent_text")
CURSOR_MAX = 200
_CURSOR = re.compile(r"(?P<sort>[a-z_]+) (?P<sk>I#[0-9A-Z]{26}) (?P<inbox>(?:[1-8]#[0-9.]{5}#[0-9A-Z]{26})?)")


Stretch = tuple[str, str, str]  # an attribute, from, to


class BadCursor(ValueError):
    pass


@dataclass(frozen=True)
class InboxQuery:
    owner: str
    sort: str = BY_SCORE
    limit: int = 20
    cursor: str | None = None
    only: Clause | None = None
    words: tuple[str, ...] = ()  # each must occur in the title, the domain or the intent
    bands: frozenset[str] = frozenset()  # in the default order: all that can pass the filter stands in these


def place(status: str, item_id: str) -> dict[str, str]:
    """Where an item of this status stands. Ids sort by their time, so newest first needs no time of its own."""
    return {"inbox": f"{BANDS[status]}#000.0#{item_id}"}


def place_ready(priority: str, match_score: float, item_id: str) -> dict[str, str]:
    return {"inbox": f"{READY_BANDS[priority]}#{match_score:05.1f}#{item_id}"}


def bands_of(statuses: Iterable[str], priorities: Iterable[str]) -> frozenset[str]:
    """Where items of these states can stand. What the skip policy archives stays where it was."""
    ready = [READY_BANDS[priority] for priority in priorities] or list(READY_BANDS.values())
    places = {**{status: [band] for status, band in BANDS.items()}, "READY": ready}
    places["ARCHIVED"] = [BANDS["ARCHIVED"], READY_BANDS["SKIP"]]
    return frozenset(band for status in statuses for band in places[status])


def page(table: DynamoTable, ask: InboxQuery) -> tuple[list[dict[str, Any]], str | None]:
    """Up to `limit` rows, and the cursor to go on with. Without a filter it looks at no more rows than it returns."""
    rows: list[dict[str, Any]] = []
    start = _decode(ask) if ask.cursor else None
    stretches = _stretches(ask, start)
    looked = 0
    while stretches and looked < LOOKS:
        # Another look without a filter: tombstones lay in between, and there may be many in a row.
        stride = _STRIDE if ask.only or ask.words or looked else ask.limit
        found = _read(table, ask, stretches[0], stride, start)
        looked += stride
        rows += [row for row in found.rows if _is_meant(row, ask.words)]
        start = found.next_key
        stretches = stretches if start else stretches[1:]
        if len(rows) > ask.limit or (len(rows) == ask.limit and start is None and stretches):
            start = _key_of(rows[ask.limit - 1], ask.sort)
        if len(rows) >= ask.limit:
            break
    return rows[: ask.limit], _encode(start, ask.sort) if start else None


def _stretches(ask: InboxQuery, start: Mapping[str, Any] | None) -> list[Stretch]:
    """What is to be read, from its end: all of it, or the bands that are meant; and of them what a cursor leaves."""
    if ask.sort == NEWEST:
        return [keys.stretch(keys.ITEM_PREFIX)]
    place = start["inbox"] if start else "9"
    bands = sorted(ask.bands or {*BANDS.values(), *READY_BANDS.values()}, reverse=True)
    found: list[Stretch] = []
    for band in bands:
        if place < band:
            continue  # the cursor is past it
        if found and int(found[-1][1][0]) == int(band) + 1:
            found[-1] = ("inbox", f"{band}#", found[-1][2])
        else:
            found.append(("inbox", f"{band}#", f"{band}#{keys.LAST}"))
    return found


def recent(table: DynamoTable, owner: str, count: int) -> list[dict[str, Any]]:
    """The last ones, as a hint of what is known: one that is a second too new does no harm by missing."""
    where, newest = keys.partition(keys.owner(owner)), keys.stretch(keys.ITEM_PREFIX)
    page = table.query(where, between=newest, newest_first=True, limit=count, consistent=False)
    return [row for row in page.rows if living(row)]


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_plain(text).split())


def _plain(text: str) -> str:
    """Neither capitals nor the width of letters make a difference."""
    return unicodedata.normalize("NFKC", text).casefold()


def _is_meant(row: dict[str, Any], words: tuple[str, ...]) -> bool:
    if living(row) is None:
        return False
    text = _plain(" ".join(row.get(name, "") for name in SEARCHED)) if words else ""
    return all(word in text for word in words)


def _read(
    table: DynamoTable, ask: InboxQuery, stretch: Stretch, stride: int, start: dict[str, Any] | None
) -> QueryPage:
    attribute, low, high = stretch
    return table.query(
        keys.partition(keys.owner(ask.owner)),
        index=None if ask.sort == NEWEST else keys.INBOX_INDEX,
        between=stretch,
        newest_first=True,
        limit=stride,
        start=start if start and low <= start[attribute] <= high else None,
        only=ask.only,
    )


def _key_of(row: dict[str, Any], sort: str) -> dict[str, Any]:
    return {name: row[name] for name in (("pk", "sk") if sort == NEWEST else ("pk", "sk", "inbox"))}


def _encode(key: dict[str, Any], sort: str) -> str:
    body = f"{sort} {key['sk']} {key.get('inbox', '')}"
    return base64.urlsafe_b64encode(body.encode()).decode().rstrip("=")


def _decode(ask: InboxQuery) -> dict[str, Any]:
    # The owner is not in the cursor: nobody pages into another's rows with a cursor of their own making.
    cursor = ask.cursor or ""
    try:
        text = base64.urlsafe_b64decode(cursor[:CURSOR_MAX] + "=" * (-len(cursor[:CURSOR_MAX]) % 4)).decode()
    except (ValueError, binascii.Error) as error:
        raise BadCursor("This cursor was not made by this list. Ask again without one.") from error
    found = _CURSOR.fullmatch(text)
    if not found or found["sort"] != ask.sort or bool(found["inbox"]) != (ask.sort == BY_SCORE):
        raise BadCursor("This cursor belongs to another list or order. Ask again without one.")
    start = {"pk": keys.owner(ask.owner), "sk": found["sk"]}
    return start | ({"inbox": found["inbox"]} if found["inbox"] else {})
