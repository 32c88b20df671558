"""The file, read whole before the first line is brought in: what cannot be read changes nothing."""

from dataclasses import asdict
from typing import Any

from readdo import files
from readdo.import_formats import BadFile, BadLine, ImportLine, recognize
from readdo.lifecycle.advance import Change
from readdo.lifecycle.write import Table
from readdo.messages import stored_fields
from readdo.read.imports import pages, run
from readdo.read.imports.import_commands import file_of
from readdo.read.imports.intents import default_for
from readdo.read.imports.run import ImportRun
from readdo.read.item_rows import page_digest

WHO = "system:read_file"
_UNSAID = asdict(ImportLine())
_TITLES = 200  # tell the language of a file


class _Tally:
    """What is learned of a file while it is read, line by line."""

    def __init__(self) -> None:
        self.lines = 0
        self.titles: list[str] = []
        self._pages: set[bytes] = set()

    def written(self, entry: ImportLine | BadLine) -> pages.Written:
        self.lines += 1
        if isinstance(entry, BadLine):
            keys = stored_fields(entry.words) | stored_fields(entry.place, "place_")
            return {"line": self.lines, "bad": entry.words, "place": entry.place, "url": entry.link, **keys}
        if len(self.titles) < _TITLES:
            self.titles.append(entry.title or entry.note[:_TITLES])
        said = {name: value for name, value in asdict(entry).items() if value != _UNSAID[name]}
        return {"line": self.lines, **said} | ({"twin": True} if entry.url and self._stood_before(entry.url) else {})

    def _stood_before(self, url: str) -> bool:
        digest = bytes.fromhex(page_digest(url))
        known = digest in self._pages
        self._pages.add(digest)
        return known


def read_file(table: Table, start: ImportRun, at: str) -> None:
    row = run.fenced(table, start, "run")
    try:
        learned = _kept(row, start)
    except BadFile as bad:
        run.refuse(table, start, bad.args[0], at)
        return
    sets = {**learned, "page": 0, "offset": 0, "read_epoch": start.epoch, "restarts": 0, **run.later(start, at)}
    run.note(table, start, "run", Change(sets=sets), at, who=WHO)
    files.remove(file_of(row))


def _kept(row: dict[str, Any], start: ImportRun) -> dict[str, Any]:
    """What is known of the file once all its pages are stored."""
    kind, lines = recognize(row["filename"], files.get(file_of(row)))
    tally = _Tally()
    number = 0
    for number, page in enumerate(pages.of(map(tally.written, lines)), start=1):
        files.put_once(pages.place(start.owner, start.id, start.epoch, number - 1), page, "application/json")
    return {
        "pages": number,
        "kind": kind,
        "counts.lines": tally.lines,
        "intent_text": row.get("intent_text") or default_for(tally.titles),
    }
