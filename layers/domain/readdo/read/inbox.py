"""The inbox index. Its sort key is band, score and id, read in descending order."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo.errors import BadCursor
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Clause
from readdo.read import item_keys
from readdo.read.item_keys import BANDS, READY_BANDS
from readdo.read.rows import ItemRow, ListedItem
from readdo.store import keys
from readdo.store.table import DynamoTable, QueryPage

BY_SCORE, NEWEST = "priority_score_desc", "created_desc"
SORTS = (BY_SCORE, NEWEST)
LOOKS = 1000  # rows that one call may read to find matches of a filter
_STRIDE = 100
SEARCHED = ("title", "domain", "intent_text")
CURSOR_MAX = 200
_CURSOR = re.compile(r"(?P<sort>[a-z_]+) (?P<sk>I#[0-9A-Z]{26}) (?P<inbox>(?:[1-8]#[0-9.]{5}#[0-9A-Z]{26})?)")


Stretch = tuple[str, str, str]  # an attribute, from, to


@dataclass(frozen=True)
class InboxQuery:
    owner: str
    sort: str = BY_SCORE
    limit: int = 20
    cursor: str | None = None
    only: Clause | None = None
    words: tuple[str, ...] = ()  # each must occur in the title, the domain or the intent
    bands: frozenset[str] = frozenset()  # in the default order: the bands that can contain matches


def bands_of(statuses: Iterable[str], priorities: Iterable[str]) -> frozenset[str]:
    """The bands that can contain items of these states. Items archived by the skip policy keep their band."""
    ready = [READY_BANDS[priority] for priority in priorities] or list(READY_BANDS.values())
    places = {**{status: [band] for status, band in BANDS.items()}, "READY": ready}
    places["ARCHIVED"] = [BANDS["ARCHIVED"], READY_BANDS["SKIP"]]
    return frozenset(band for status in statuses for band in places[status])


def page(table: DynamoTable, query: InboxQuery) -> tuple[list[ListedItem], str | None]:
    """Up to `limit` rows, and the cursor of the next page. Without a filter, only these rows are read."""
    rows: list[dict[str, Any]] = []
    start = _decode(query) if query.cursor else None
    stretches = _stretches(query, start)
    looked = 0
    while stretches and looked < LOOKS:
        # A second read without a filter means that the first one met tombstones. There may be many more.
        stride = _STRIDE if query.only or query.words or looked else query.limit
        result = _read(table, query, stretches[0], stride, start)
        looked += stride
        rows += [row for row in result.rows if _matches(row, query.words)]
        start = result.next_key
        stretches = stretches if start else stretches[1:]
        if len(rows) > query.limit or (len(rows) == query.limit and start is None and stretches):
            start = _key_of(rows[query.limit - 1], query.sort)
        if len(rows) >= query.limit:
            break
    return [cast("ListedItem", row) for row in rows[: query.limit]], _encode(start, query.sort) if start else None


def _stretches(query: InboxQuery, start: Mapping[str, Any] | None) -> list[Stretch]:
    """The key ranges to read: the bands of the query after the cursor. Adjacent bands become one range."""
    if query.sort == NEWEST:
        return [keys.stretch(item_keys.ITEM_PREFIX)]
    place = start["inbox"] if start else "9"
    bands = sorted(query.bands or {*BANDS.values(), *READY_BANDS.values()}, reverse=True)
    stretches: list[Stretch] = []
    for band in bands:
        if place < band:
            continue  # the cursor is after this band
        if stretches and int(stretches[-1][1][0]) == int(band) + 1:
            stretches[-1] = ("inbox", f"{band}#", stretches[-1][2])
        else:
            stretches.append(("inbox", f"{band}#", f"{band}#{keys.LAST}"))
    return stretches


def recent(table: DynamoTable, owner: str, count: int) -> list[ItemRow]:
    """The newest items, eventually consistent. Callers can do without an item of the last second."""
    where, newest = keys.partition(keys.owner(owner)), keys.stretch(item_keys.ITEM_PREFIX)
    page = table.query(where, between=newest, newest_first=True, limit=count, consistent=False)
    return [cast("ItemRow", row) for row in page.rows if living(row)]


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_plain(text).split())


def _plain(text: str) -> str:
    """Normalize case and full-width letters."""
    return unicodedata.normalize("NFKC", text).casefold()


def _matches(row: dict[str, Any], words: tuple[str, ...]) -> bool:
    if living(row) is None:
        return False
    text = _plain(" ".join(row.get(name, "") for name in SEARCHED)) if words else ""
    return all(word in text for word in words)


def _read(
    table: DynamoTable, query: InboxQuery, stretch: Stretch, stride: int, start: dict[str, Any] | None
) -> QueryPage:
    attribute, low, high = stretch
    return table.query(
        keys.partition(keys.owner(query.owner)),
        index=None if query.sort == NEWEST else keys.INBOX_INDEX,
        between=stretch,
        newest_first=True,
        limit=stride,
        start=start if start and low <= start[attribute] <= high else None,
        only=query.only,
    )


def _key_of(row: dict[str, Any], sort: str) -> dict[str, Any]:
    return {name: row[name] for name in (("pk", "sk") if sort == NEWEST else ("pk", "sk", "inbox"))}


def _encode(key: dict[str, Any], sort: str) -> str:
    body = f"{sort} {key['sk']} {key.get('inbox', '')}"
    return base64.urlsafe_b64encode(body.encode()).decode().rstrip("=")


def _decode(query: InboxQuery) -> dict[str, Any]:
    # The cursor does not contain the owner, so a forged cursor cannot read the rows of another owner.
    cursor = query.cursor or ""
    try:
        text = base64.urlsafe_b64decode(cursor[:CURSOR_MAX] + "=" * (-len(cursor[:CURSOR_MAX]) % 4)).decode()
    except (ValueError, binascii.Error) as error:
        raise BadCursor from error
    match = _CURSOR.fullmatch(text)
    if not match or match["sort"] != query.sort or bool(match["inbox"]) != (query.sort == BY_SCORE):
        raise BadCursor
    start = {"pk": keys.owner(query.owner), "sk": match["sk"]}
    return start | ({"inbox": match["inbox"]} if match["inbox"] else {})
