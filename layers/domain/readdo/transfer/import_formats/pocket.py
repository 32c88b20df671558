"""Pocket: CSV parts, with `|` between tags; its zip also has highlights."""

from collections.abc import Iterator

from readdo.messages import message
from readdo.transfer.import_formats import any_table, dates, json_text, table_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile
from readdo.transfer.import_formats.zip_members import members, within

_PARTS = r"(?:.*/)?part_\d+\.csv"
_OTHER_FOLDERS = ("annotations/", "collections/")


def recognises(file: SourceFile) -> bool:
    return file.has_columns("url", "time_added")


def read(file: SourceFile) -> Entries:
    return _entries(file, {})


def recognises_zip(file: SourceFile) -> bool:
    return any(recognises(part) for part in _parts(file))


def read_zip(file: SourceFile) -> Entries:
    highlights = _highlights(file)
    for part in _parts(file):
        yield from within(part, _entries(part, highlights))
    for list_of_links in members(file, r"(?:.*/)?collections/.*\.csv"):
        yield from within(list_of_links, any_table.read(list_of_links))
    # The remaining highlights are of pages that are in no list.
    for number, (url, (title, note)) in enumerate(highlights.items(), start=1):
        yield entry(RawEntry(message("place.annotation", n=number), url, title=title, note=note))


def _parts(file: SourceFile) -> Iterator[SourceFile]:
    return (part for part in members(file, _PARTS) if not any(folder in part.name for folder in _OTHER_FOLDERS))


def _highlights(file: SourceFile) -> dict[str, tuple[object, str]]:
    by_url: dict[str, tuple[object, str]] = {}
    for part in members(file, r"(?:.*/)?annotations/.*\.json"):
        for page in json_text.objects(part.data):
            quotes = (
                texts.quoted(highlight.get("quote"), highlight.get("note"))
                for highlight in json_text.objects_in(page, "highlights")
            )
            by_url[texts.to_text(page.get("url"))] = page.get("title"), texts.joined(*quotes)
    return by_url


def _entries(file: SourceFile, highlights: dict[str, tuple[object, str]]) -> Entries:
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
                note=highlights.pop(url, ("", ""))[1],
                labels=tags.split(row.first("tags"), "|"),
                saved_at=dates.moment(row.first("time_added")),
                archived=row.first("status").strip().lower() in ("archive", "read"),
                starred=texts.true(row.first("favorite")),
            )
        )
