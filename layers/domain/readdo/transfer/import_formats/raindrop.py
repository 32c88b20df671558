"""Raindrop's CSV. A folder is a path; `excerpt` is the page's own text and is not imported."""

from readdo.transfer.import_formats import dates, table_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile


def recognises(file: SourceFile) -> bool:
    return file.has_columns("url", "folder", "created", "cover")


def read(file: SourceFile) -> Entries:
    for row in table_text.rows(file.text, file.table):
        if isinstance(row, BadLine):
            yield row
            continue
        folders = tags.folders(tags.split(row.first("folder"), "/"))
        yield entry(
            RawEntry(
                row.place,
                row.first("url"),
                title=row.first("title"),
                note=texts.joined(row.first("note", "description"), row.first("highlights")),
                labels=[*folders, *tags.split(row.first("tags"), ",")],
                saved_at=dates.moment(row.first("created")),
                starred=texts.true(row.first("favorite")),
            )
        )
