"""Table of unknown origin with a link column, such as Matter's, Google's or a spreadsheet's."""

from readdo.transfer.import_formats import any_fields, table_text
from readdo.transfer.import_formats.entry import Entries
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile


def recognises(file: SourceFile) -> bool:
    return bool(file.table.columns)


def read(file: SourceFile) -> Entries:
    for row in table_text.rows(file.text, file.table):
        yield row if isinstance(row, BadLine) else any_fields.read(row.place, row.cells)
