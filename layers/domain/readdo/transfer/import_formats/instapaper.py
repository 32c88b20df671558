"""Instapaper's CSV with four to six columns. Each item is in exactly one folder."""

from readdo.transfer.import_formats import dates, table_text, tags
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile

_DEFAULT_FOLDERS = ("unread", "archive", "starred")


def recognises(file: SourceFile) -> bool:
    return file.has_columns("url", "title", "selection", "folder")


def read(file: SourceFile) -> Entries:
    for row in table_text.rows(file.text, file.table):
        if isinstance(row, BadLine):
            yield row
            continue
        folder = row.first("folder").strip()
        yield entry(
            RawEntry(
                row.place,
                row.first("url"),
                title=row.first("title"),
                note=row.first("selection"),
                labels=[*([] if folder.lower() in _DEFAULT_FOLDERS else [folder]), *tags.split(row.first("tags"))],
                saved_at=dates.moment(row.first("timestamp")),
                archived=folder.lower() == "archive",
                starred=folder.lower() == "starred",
            )
        )
