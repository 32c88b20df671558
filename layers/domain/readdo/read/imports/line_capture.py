"""The lines of a slice become items. A line's key is made of the import and its place: done twice, it is one item."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from readdo.error_redaction import log_error
from readdo.lifecycle.advance import Conflict, Forbidden, NotFound
from readdo.lifecycle.item import CAPTURED
from readdo.lifecycle.write import Table
from readdo.messages import message, stored_fields
from readdo.read import item_commands, item_transactions
from readdo.read.capture import CaptureResult, ItemDeleted, capture
from readdo.read.capture_request import CaptureRequest
from readdo.read.imports.intents import of_line
from readdo.read.imports.pages import Written
from readdo.read.item_rows import TAGS_MAX
from readdo.read.item_transactions import Command

AT_ONCE = 8
STARRED = "starred"  # a tag like any other: what it was good for there is the person's to say here

Placed = tuple[int, Written]  # where in its page it stands


@dataclass(frozen=True)
class LineResult:
    """What became of a line."""

    result: str
    item: str = ""
    words: str = ""
    flies: bool = False
    archived: bool = False

    @property
    def kept(self) -> dict[str, Any]:
        told = {"result": self.result, "item": self.item, "words": self.words, **stored_fields(self.words)}
        return {name: value for name, value in told.items() if value}


def needs_room(row: Mapping[str, Any], line: Written) -> bool:
    """Whether it goes on by itself: what rests, or was read there already, spends nothing."""
    return bool(row["process"] and "bad" not in line and not line.get("archived"))


def bring_in(table: Table, row: Mapping[str, Any], lines: Sequence[Placed], at: str) -> list[LineResult]:
    """In the order of the lines; at the first that could not be brought in, those before it are all that is told."""

    def one(placed: Placed) -> LineResult | Exception:
        try:
            return _line(table, row, placed, at)
        except Exception as error:  # throttled, or no answer
            log_error("a line was not brought in; the next slice will", error, **{"import": row["id"]})
            return error

    # A page that stands twice joins itself, so its first line must be there before the others.
    first = [placed for placed in lines if not placed[1].get("twin")]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        at_work = [threads.submit(copy_context().run, one, placed) for placed in first]
    done = {place: work.result() for (place, _), work in zip(first, at_work, strict=True)}
    told: list[LineResult] = []
    for placed in lines:
        found = done[placed[0]] if placed[0] in done else one(placed)
        if isinstance(found, Exception):
            if not told:
                raise found
            break
        told.append(found)
    return told


def _line(table: Table, row: Mapping[str, Any], placed: Placed, at: str) -> LineResult:
    line = placed[1]
    if "bad" in line:
        return LineResult("bad")
    wish = _wish(row, placed)
    try:
        found = capture(table, row["owner"], wish, at)
    except ItemDeleted:
        return LineResult("bad", words=message("import_line.item_deleted"))
    if found.joined:
        return LineResult("duplicate" if line.get("twin") else "joined", found.item["id"])
    archived = bool(line.get("archived")) and _put_away(table, found, at)
    return LineResult("captured", found.item["id"], flies=wish.process, archived=archived)


def _put_away(table: Table, found: CaptureResult, at: str) -> bool:
    """As it was there. What somebody has taken out again meanwhile stays out."""
    if found.item["status"] != CAPTURED:
        return True
    try:
        item_transactions.carry_out(
            table, Command(found.item["owner"], found.item["id"], "archive"), item_commands.archive("USER_ARCHIVE"), at
        )
    except (Conflict, Forbidden, NotFound):
        return False
    return True


def _wish(row: Mapping[str, Any], placed: Placed) -> CaptureRequest:
    place, line = placed
    tags = [*([STARRED] if line.get("starred") else []), *line.get("tags", [])]
    return CaptureRequest(
        intent_text=of_line(line.get("note", ""), row["intent_text"]),
        url=line.get("url", ""),
        content=line.get("content", ""),
        title=line.get("title", ""),
        profile=row["profile"],
        language=line.get("language", "") or row.get("language", ""),
        process=needs_room(row, line),
        capture_id=f"{row['id']}:{row['page']}:{place}",
        tags=tuple(dict.fromkeys(tags))[:TAGS_MAX],
        saved_at=line.get("saved_at", ""),
    )
