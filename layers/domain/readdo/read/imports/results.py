"""What became of each line, in the order of the file: noted in the table, shown with what its page says of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readdo import files
from readdo.read.imports import pages
from readdo.store import keys
from readdo.store.inbox import BadCursor
from readdo.store.table import DynamoTable

RESULTS = ("captured", "joined", "duplicate", "bad")
ROWS = 25  # of results that one call looks at; each is of a hundred lines at most
_CURSOR = re.compile(r"(\d{1,5})-(\d{1,3})-(\d{1,3})")
_MESSAGE_FIELDS = ("message_key", "params", "place_message_key", "place_params")
_SHOWN = 200  # characters of a link or a title


@dataclass(frozen=True)
class _Place:
    page: int
    row: int  # the line with which the row begins that tells of it
    line: int

    @property
    def cursor(self) -> str:
        return f"{self.page}-{self.row}-{self.line}"


def list_results(
    table: DynamoTable, row: Mapping[str, Any], only: str, cursor: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Up to `limit` lines, and where to go on: even with none of them, while there is a cursor."""
    begin = _place_of(cursor) if cursor else _Place(0, 0, 0)
    where = keys.partition(keys.inside_import(row["owner"], row["id"]))
    low = keys.results(row["owner"], row["id"], begin.page, begin.row).sk
    noted = table.query(where, between=("sk", low, f"{keys.RESULTS_PREFIX}{keys.LAST}"), limit=ROWS)
    found: list[tuple[_Place, dict[str, Any]]] = []
    last = begin
    for place, told in _lines(noted.rows):
        if (place.page, place.line) < (begin.page, begin.line):
            continue
        if len(found) == limit:
            return _shown(row, found), place.cursor
        last = _Place(place.page, place.line + 1, place.line + 1)
        if only in ("", told["result"]):
            found.append((place, told))
    return _shown(row, found), last.cursor if noted.next_key else None


def _lines(rows: list[dict[str, Any]]) -> Iterator[tuple[_Place, dict[str, Any]]]:
    for noted in rows:
        for place, told in enumerate(noted["told"], start=noted["offset"]):
            yield _Place(noted["page"], noted["offset"], place), told


def _shown(row: Mapping[str, Any], found: list[tuple[_Place, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Pages are read once each; one that is no longer kept says nothing of its lines but what became of them."""
    kept: dict[int, list[pages.Written]] = {}
    shown = []
    for place, told in found:
        if place.page not in kept:
            kept[place.page] = _page(row, place.page)
        page = kept[place.page]
        line = page[place.line] if place.line < len(page) else {}
        shown.append(_one(told, line))
    return shown


def _page(row: Mapping[str, Any], number: int) -> list[pages.Written]:
    try:
        return pages.read(row, number)
    except files.ObjectMissing:
        return []


def _one(told: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, Any]:
    words = told.get("words") or line.get("bad", "")
    said = {"url": line.get("url", "")[:_SHOWN], "title": line.get("title", "")[:_SHOWN]}
    said |= {"item": told.get("item", ""), "words": words, "place": line.get("place", "")}
    said |= {name: value for one in (line, told) for name, value in one.items() if name in _MESSAGE_FIELDS}
    number = {"line": line["line"]} if "line" in line else {}
    return {**number, "result": told["result"], **{name: value for name, value in said.items() if value}}


def _place_of(cursor: str) -> _Place:
    found = _CURSOR.fullmatch(cursor)
    if not found:
        raise BadCursor("This cursor was not made by this list. Ask again without one.")
    return _Place(*map(int, found.groups()))
