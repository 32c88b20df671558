"""Readwise Reader's CSV, with tags in Python's list syntax."""

from readdo.transfer.import_formats import dates, table_text, tags
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile


def recognises(file: SourceFile) -> bool:
    return file.has_columns("url", "document tags")


def read(file: SourceFile) -> Entries:
    for row in table_text.rows(file.text, file.table):
        if isinstance(row, BadLine):
            yield row
            continue
        location = row.first("location").strip().lower()
        yield entry(
            RawEntry(
                row.place,
                row.first("url"),
                title=row.first("title"),
                note=row.first("document note", "notes"),
                labels=tags.split(row.first("document tags")),
                saved_at=dates.moment(row.first("saved date")),
                archived=location == "archive",
                starred=location == "shortlist",
            )
        )
