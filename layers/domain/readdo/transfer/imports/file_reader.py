"""Read the complete file of an import before any item is created: an invalid file changes nothing."""

from dataclasses import asdict
from typing import Any, cast

from readdo import files
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change
from readdo.lifecycle.write import Table
from readdo.messages import stored_fields
from readdo.read.item_rows import page_digest
from readdo.store.keys import NOT_DUE
from readdo.transfer.import_formats import BadFile, BadLine, ImportLine, recognize
from readdo.transfer.imports import pages
from readdo.transfer.imports.import_commands import file_of
from readdo.transfer.imports.line_capture import default_for
from readdo.transfer.rows import ImportRow

WHO = "system:read_file"
_DEFAULTS = asdict(ImportLine())
_TITLES = 200  # titles from which the language of a file is detected


class _Tally:
    """Facts that are collected while the file is read line by line."""

    def __init__(self) -> None:
        self.lines = 0
        self.titles: list[str] = []
        self._pages: set[bytes] = set()

    def stored_line(self, entry: ImportLine | BadLine) -> pages.Written:
        self.lines += 1
        if isinstance(entry, BadLine):
            message_fields = stored_fields(entry.words) | stored_fields(entry.place, "place_")
            return {"line": self.lines, "bad": entry.words, "place": entry.place, "url": entry.link, **message_fields}
        if len(self.titles) < _TITLES:
            self.titles.append(entry.title or entry.note[:_TITLES])
        fields = {name: value for name, value in asdict(entry).items() if value != _DEFAULTS[name]}
        return {"line": self.lines, **fields} | ({"twin": True} if entry.url and self._is_repeated(entry.url) else {})

    def _is_repeated(self, url: str) -> bool:
        digest = bytes.fromhex(page_digest(url))
        is_known = digest in self._pages
        self._pages.add(digest)
        return is_known


def read_file(table: Table, start: Slice, at: str) -> None:
    known = table.get(start.key)
    if known is not None and known["epoch"] == known.get("read_epoch") == start.epoch:
        return  # a repeated invocation: the response was lost, or the execution was started again with its first input
    row = cast("ImportRow", sliced_job.fenced(table, start, "run"))
    try:
        fields = _store_pages(row, start)
    except BadFile as bad:
        _refuse(table, start, bad.args[0], at)
        return
    sets = {**fields, "page": 0, "offset": 0, "read_epoch": start.epoch, "restarts": 0, **start.due(at)}
    sliced_job.advance_fenced(table, start, "run", Change(sets), at, who=WHO)
    files.remove(file_of(row))


def _refuse(table: Table, start: Slice, words: str, at: str) -> None:
    """The file is invalid: it is not read again."""
    failure = {**sliced_job.failure_fields("IMPORT_FILE_UNREADABLE", words), "failed_at": at}
    change = Change({"failure": failure, "refused": True}, removes=NOT_DUE)
    sliced_job.advance_fenced(table, start, "refuse", change, at, who=WHO)


def _store_pages(row: ImportRow, start: Slice) -> dict[str, Any]:
    """Store the lines as pages. Returns fields for the import's row."""
    kind, lines = recognize(row["filename"], files.get(file_of(row)))
    tally = _Tally()
    number = 0
    for number, page in enumerate(pages.of(map(tally.stored_line, lines)), start=1):
        files.put_once(pages.place(start.owner, start.id, start.epoch, number - 1), page, "application/json")
    return {
        "pages": number,
        "kind": kind,
        "counts.lines": tally.lines,
        "intent_text": row.get("intent_text") or default_for(tally.titles),
    }
