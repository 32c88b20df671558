"""Instapaper: a table of four columns, later five and six; an item lies in exactly one folder."""

from readdo.importing import dates, table_text, tags
from readdo.importing.bad import BadLine
from readdo.importing.entry import Entries, Said, entry
from readdo.importing.file import File

_OWN = ("unread", "archive", "starred")


def recognises(file: File) -> bool:
    return file.has_columns("url", "title", "selection", "folder")


def read(file: File) -> Entries:
    for row in table_text.rows(file.text, file.table):
        if isinstance(row, BadLine):
            yield row
            continue
        folder = row.first("folder").strip()
        yield entry(
            Said(
                row.place,
                row.first("url"),
                title=row.first("title"),
                note=row.first("selection"),
                labels=[*([] if folder.lower() in _OWN else [folder]), *tags.split(row.first("tags"))],
                saved_at=dates.moment(row.first("timestamp")),
                archived=folder.lower() == "archive",
                starred=folder.lower() == "starred",
            )
        )
