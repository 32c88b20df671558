"""Results of an import's lines in file order: stored in the table, shown with the line's page."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from readdo import files
from readdo.errors import BadCursor
from readdo.store import keys
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys
from readdo.transfer.imports import pages
from readdo.transfer.rows import ImportRow, ResultsRow

RESULTS = ("captured", "joined", "duplicate", "bad")
ROWS = 25  # of results read per call; each has at most a hundred lines
_CURSOR = re.compile(r"(\d{1,5})-(\d{1,3})-(\d{1,3})")
_MESSAGE_FIELDS = ("message_key", "params", "place_message_key", "place_params")
_SHOWN = 200  # characters of a link or a title


@dataclass(frozen=True)
class _Place:
    page: int
    row: int  # the first line of its row of results
    line: int

    @property
    def cursor(self) -> str:
        return f"{self.page}-{self.row}-{self.line}"


def list_results(
    table: DynamoTable, row: ImportRow, only: str, cursor: str | None, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """Up to `limit` lines and the cursor of the next ones. A page may be empty and still have a cursor."""
    begin = _parse_cursor(cursor) if cursor else _Place(0, 0, 0)
    where = keys.partition(transfer_keys.import_partition(row["owner"], row["id"]))
    low = transfer_keys.results(row["owner"], row["id"], begin.page, begin.row).sk
    stored = table.query(where, between=("sk", low, f"{transfer_keys.RESULTS_PREFIX}{keys.LAST}"), limit=ROWS)
    matches: list[tuple[_Place, dict[str, Any]]] = []
    last = begin
    for place, result in _lines(stored.rows):
        if (place.page, place.line) < (begin.page, begin.line):
            continue
        if len(matches) == limit:
            return _views(row, matches), place.cursor
        last = _Place(place.page, place.line + 1, place.line + 1)
        if only in ("", result["result"]):
            matches.append((place, result))
    return _views(row, matches), last.cursor if stored.next_key else None


def _lines(rows: list[dict[str, Any]]) -> Iterator[tuple[_Place, dict[str, Any]]]:
    for row in (cast("ResultsRow", row) for row in rows):
        for place, result in enumerate(row["told"], start=row["offset"]):
            yield _Place(row["page"], row["offset"], place), result


def _views(row: ImportRow, matches: list[tuple[_Place, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Each page is read once. If it is past its retention, its lines have only their results."""
    pages_read: dict[int, list[pages.Written]] = {}
    views = []
    for place, result in matches:
        if place.page not in pages_read:
            pages_read[place.page] = _page(row, place.page)
        page = pages_read[place.page]
        line = page[place.line] if place.line < len(page) else {}
        views.append(_view(result, line))
    return views


def _page(row: ImportRow, number: int) -> list[pages.Written]:
    try:
        return pages.read(row, number)
    except files.ObjectMissing:
        return []


def _view(result: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, Any]:
    words = result.get("words") or line.get("bad", "")
    fields = {"url": line.get("url", "")[:_SHOWN], "title": line.get("title", "")[:_SHOWN]}
    fields |= {"item": result.get("item", ""), "words": words, "place": line.get("place", "")}
    fields |= {name: value for one in (line, result) for name, value in one.items() if name in _MESSAGE_FIELDS}
    number = {"line": line["line"]} if "line" in line else {}
    return {**number, "result": result["result"], **{name: value for name, value in fields.items() if value}}


def _parse_cursor(cursor: str) -> _Place:
    match = _CURSOR.fullmatch(cursor)
    if not match:
        raise BadCursor
    return _Place(*map(int, match.groups()))
