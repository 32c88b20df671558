"""Pocket: parts of a table, tags divided by `|`; in its zip beside them what was marked in the pages."""

from collections.abc import Iterator

from readdo.import_formats import any_table, dates, json_text, table_text, tags, texts
from readdo.import_formats.entry import Entries, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.import_formats.member import members, within
from readdo.import_formats.rejections import BadLine
from readdo.messages import message

_PARTS = r"(?:.*/)?part_\d+\.csv"
_BESIDE = ("annotations/", "collections/")


def recognises(file: SourceFile) -> bool:
    return file.has_columns("url", "time_added")


def read(file: SourceFile) -> Entries:
    return _table(file, {})


def recognises_zip(file: SourceFile) -> bool:
    return any(recognises(part) for part in _parts(file))


def read_zip(file: SourceFile) -> Entries:
    marked = _marked(file)
    for part in _parts(file):
        yield from within(part, _table(part, marked))
    for list_of_links in members(file, r"(?:.*/)?collections/.*\.csv"):
        yield from within(list_of_links, any_table.read(list_of_links))
    for number, (url, (title, note)) in enumerate(marked.items(), start=1):  # of pages that are in no list
        yield entry(RawEntry(message("place.annotation", n=number), url, title=title, note=note))


def _parts(file: SourceFile) -> Iterator[SourceFile]:
    return (part for part in members(file, _PARTS) if not any(folder in part.name for folder in _BESIDE))


def _marked(file: SourceFile) -> dict[str, tuple[object, str]]:
    found: dict[str, tuple[object, str]] = {}
    for part in members(file, r"(?:.*/)?annotations/.*\.json"):
        for page in json_text.objects(part.data):
            quotes = (
                texts.quoted(one.get("quote"), one.get("note")) for one in json_text.objects_in(page, "highlights")
            )
            found[texts.said(page.get("url"))] = page.get("title"), texts.joined(*quotes)
    return found


def _table(file: SourceFile, marked: dict[str, tuple[object, str]]) -> Entries:
    for row in table_text.rows(file.text, file.table):
        if isinstance(row, BadLine):
            yield row
            continue
        url = row.first("url")
        yield entry(
            RawEntry(
                row.place,
                url,
                title=row.first("title"),
                note=marked.pop(url, ("", ""))[1],
                labels=tags.split(row.first("tags"), "|"),
                saved_at=dates.moment(row.first("time_added")),
                archived=row.first("status").strip().lower() in ("archive", "read"),
                starred=texts.true(row.first("favorite")),
            )
        )
