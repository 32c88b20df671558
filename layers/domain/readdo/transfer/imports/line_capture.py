"""Create items from the lines of a slice. A line's capture id makes a repeated line join its item."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from readdo.lifecycle.advance import Conflict, Forbidden, NotFound
from readdo.lifecycle.item import CAPTURED
from readdo.lifecycle.write import Table
from readdo.messages import message, stored_fields
from readdo.read import item_commands, item_transactions
from readdo.read.capture import CaptureResult, ItemDeleted, capture
from readdo.read.item_rows import TAGS_MAX, CaptureRequest
from readdo.read.item_transactions import Command
from readdo.runtime import log_error
from readdo.transfer.imports.pages import Written
from readdo.transfer.rows import ImportRow

LEAST, MOST = 3, 800
IN_CHINESE = "以前收藏的，看看还值不值得读，能用在哪里"
IN_ENGLISH = "Saved earlier: see whether it is still worth reading, and what to do with it"
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f\u0400-\u04ff]{2,}")
AT_ONCE = 8
STARRED = "starred"  # a normal tag, since Read→Do has no stars
Placed = tuple[int, Written]  # (index in its page, line)


def default_for(titles: Sequence[str]) -> str:
    """In the language of most titles. A Chinese character counts as half a word."""
    text = " ".join(titles)
    return IN_CHINESE if len(_HAN.findall(text)) / 2 > len(_WORD.findall(text)) else IN_ENGLISH


def of_line(note: str, default: str) -> str:
    line = " ".join(note.split())
    if not line:
        return default
    if len(line) < LEAST:  # too short for an intent, but it must not be lost
        return f"{line}: {default}"[:MOST]
    return _cut(line)


def _cut(line: str) -> str:
    """Cut at a space, if there is one near the end."""
    if len(line) <= MOST:
        return line
    start = line[: MOST - 1]
    space = start.rfind(" ")
    return (start[:space] if space > MOST * 3 // 4 else start).rstrip() + "…"


@dataclass(frozen=True)
class LineResult:
    """Result of a line. `flies`: its item is in progress."""

    result: str
    item: str = ""
    words: str = ""
    flies: bool = False
    archived: bool = False

    @property
    def kept(self) -> dict[str, Any]:
        fields = {"result": self.result, "item": self.item, "words": self.words, **stored_fields(self.words)}
        return {name: value for name, value in fields.items() if value}


def needs_room(row: ImportRow, line: Written) -> bool:
    """True if its item is processed. Items that stay CAPTURED or are archived need no processing."""
    return bool(row["process"] and "bad" not in line and not line.get("archived"))


def capture_lines(table: Table, row: ImportRow, lines: Sequence[Placed], at: str) -> list[LineResult]:
    """Results in the order of the lines, up to the first line that failed."""

    def capture_line(placed: Placed) -> LineResult | Exception:
        try:
            return _capture_line(table, row, placed, at)
        except Exception as error:  # throttled, or no response
            log_error("a line was not brought in; the next slice will", error, **{"import": row["id"]})
            return error

    # A repeated page joins the item of its first line, so first lines are captured before the others.
    first_lines = [placed for placed in lines if not placed[1].get("twin")]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        futures = [threads.submit(copy_context().run, capture_line, placed) for placed in first_lines]
    done = {place: future.result() for (place, _), future in zip(first_lines, futures, strict=True)}
    results: list[LineResult] = []
    for placed in lines:
        result = done[placed[0]] if placed[0] in done else capture_line(placed)
        if isinstance(result, Exception):
            if not results:
                raise result
            break
        results.append(result)
    return results


def _capture_line(table: Table, row: ImportRow, placed: Placed, at: str) -> LineResult:
    line = placed[1]
    if "bad" in line:
        return LineResult("bad")
    request = _request(row, placed)
    try:
        captured = capture(table, row["owner"], request, at)
    except ItemDeleted:
        return LineResult("bad", words=message("import_line.item_deleted"))
    if captured.joined:
        return LineResult("duplicate" if line.get("twin") else "joined", captured.item["id"])
    archived = bool(line.get("archived")) and _archive(table, captured, at)
    return LineResult("captured", captured.item["id"], flies=request.process, archived=archived)


def _archive(table: Table, captured: CaptureResult, at: str) -> bool:
    """Archive the item as in the other product. An item that was moved meanwhile is left alone."""
    if captured.item["status"] != CAPTURED:
        return True
    try:
        item_transactions.carry_out(
            table,
            Command(captured.item["owner"], captured.item["id"], "archive"),
            item_commands.archive("USER_ARCHIVE"),
            at,
        )
    except (Conflict, Forbidden, NotFound):
        return False
    return True


def _request(row: ImportRow, placed: Placed) -> CaptureRequest:
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
