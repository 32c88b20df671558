"""Readwise Reader: a table whose tags are shown as Python shows a list."""

from readdo.importing import dates, table_text, tags
from readdo.importing.bad import BadLine
from readdo.importing.entry import Entries, Said, entry
from readdo.importing.file import File


def recognises(file: File) -> bool:
    return file.has_columns("url", "document tags")


def read(file: File) -> Entries:
    for row in table_text.rows(file.text, file.table):
        if isinstance(row, BadLine):
            yield row
            continue
        location = row.first("location").strip().lower()
        yield entry(
            Said(
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
