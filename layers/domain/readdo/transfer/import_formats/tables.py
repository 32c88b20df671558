"""CSV text: its columns, and its rows one at a time."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from readdo.messages import message
from readdo.transfer.import_formats.import_line import BadLine, Entries, FieldNames, entry

LINK_COLUMNS = (
    *("url", "link", "href", "uri", "address", "page url", "web address"),
    *("链接", "网址", "地址", "連結", "網址"),
)
_DELIMITERS = (",", ";", "\t")
_HEADER_MAX = 5_000
_COLUMNS_MAX = 100
_SPAN_MAX = 500  # lines of a row; more mean that a quotation mark is not closed


@dataclass(frozen=True)
class CsvTable:
    columns: tuple[str, ...] = ()  # in lower case
    delimiter: str = ","
    skipped: int = 0  # characters before the header


@dataclass(frozen=True)
class CsvRow:
    place: str
    cells: dict[str, str]  # without blank cells


def table_of(text: str) -> CsvTable:
    """Recognise a table by its link column. Without one the result has no columns."""
    skipped = len(text) - len(text.lstrip())
    if text[skipped : skipped + 4].lower() == "sep=":  # a delimiter line, as some spreadsheets write it
        skipped = len(text) - len(text[skipped:].partition("\n")[2])
    for delimiter in _DELIMITERS:
        columns = _header(text[skipped : skipped + _HEADER_MAX], delimiter)
        if set(LINK_COLUMNS) & set(columns):
            return CsvTable(columns, delimiter, skipped)
    return CsvTable()


def _header(head: str, delimiter: str) -> tuple[str, ...]:
    try:
        cells = next(csv.reader(io.StringIO(head, newline=""), delimiter=delimiter), [])
    except csv.Error:
        return ()
    return tuple(" ".join(cell.split()).casefold() for cell in cells[:_COLUMNS_MAX])


def entries(text: str, table: CsvTable, names: FieldNames) -> Entries:
    return (row if isinstance(row, BadLine) else entry(row.place, row.cells, names) for row in rows(text, table))


def rows(text: str, table: CsvTable) -> Iterator[CsvRow | BadLine]:
    """Skips empty rows. A row that cannot be parsed becomes a BadLine, and reading goes on."""
    source = io.StringIO(text[table.skipped :], newline="")
    reader = csv.reader(source, delimiter=table.delimiter)
    before = 1 + text.count("\n", 0, table.skipped)
    open_at_end = text.count('"', table.skipped) % 2 == 1
    next(reader, None)
    while True:
        starts = reader.line_num
        place = message("place.line", n=before + starts)
        try:
            cells = next(reader, None)
        except csv.Error:
            yield BadLine(place, message("import_line.open_quote"))
            continue
        if cells is None:
            return
        spans = reader.line_num - starts
        if spans > _SPAN_MAX or (spans > 1 and open_at_end and source.tell() == len(text) - table.skipped):
            yield BadLine(place, message("import_line.open_quote"))
        elif any(cell.strip() for cell in cells):
            yield _row(place, cells, table.columns)


def _row(place: str, cells: list[str], columns: tuple[str, ...]) -> CsvRow | BadLine:
    if any(cell.strip() for cell in cells[len(columns) :]):
        return BadLine(place, message("import_line.wrong_cell_count", cells=len(cells), named=len(columns)))
    return CsvRow(place, {column: cell for column, cell in zip(columns, cells, strict=False) if cell.strip()})
