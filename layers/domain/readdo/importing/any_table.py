"""A table of any origin that has a column for links: our own field names, Matter's, Google's, a spreadsheet."""

from readdo.importing import any_fields, table_text
from readdo.importing.bad import BadLine
from readdo.importing.entry import Entries
from readdo.importing.file import File


def recognises(file: File) -> bool:
    return bool(file.table.columns)


def read(file: File) -> Entries:
    for row in table_text.rows(file.text, file.table):
        yield row if isinstance(row, BadLine) else any_fields.read(row.place, row.cells)
