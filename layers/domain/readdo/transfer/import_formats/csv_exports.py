"""CSV exports of Pocket, Instapaper, Readwise Reader and Raindrop, and Pocket's zip with highlights."""

from collections.abc import Iterator

from readdo.messages import message
from readdo.transfer.import_formats import json_data, tables, unknown_products, values
from readdo.transfer.import_formats.import_line import BadLine, Entries, FieldNames, entry
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile

_PARTS = r"(?:.*/)?part_\d+\.csv"
_OTHER_FOLDERS = ("annotations/", "collections/")
_Highlights = dict[str, tuple[object, str]]  # link → (title of the page, its highlights)


def _csv_format(product: str, columns: set[str], names: FieldNames) -> ImportFormat:
    return ImportFormat(
        product,
        lambda file: columns <= set(file.table.columns),
        lambda file: tables.entries(file.text, file.table, names),
    )


_POCKET_NAMES = FieldNames(
    notes=(("annotations",),),  # added from the zip
    tags=("tags",),
    separator="|",
    saved_at=("time_added",),
    starred=("favorite",),
    state=("status",),
    archived_states=("archive", "read"),
)
POCKET = _csv_format("pocket", {"url", "time_added"}, _POCKET_NAMES)
INSTAPAPER = _csv_format(
    "instapaper",
    {"url", "title", "selection", "folder"},
    FieldNames(
        notes=(("selection",),),
        tags=("tags",),
        saved_at=("timestamp",),
        state=("folder",),
        archived_states=("archive",),
        starred_states=("starred",),
        product_states=("unread", "archive", "starred"),
    ),
)
READWISE = _csv_format(
    "readwise",
    {"url", "document tags"},
    FieldNames(
        notes=(("document note", "notes"),),
        tags=("document tags",),
        saved_at=("saved date",),
        state=("location",),
        archived_states=("archive",),
        starred_states=("shortlist",),
    ),
)
RAINDROP = _csv_format(
    "raindrop",
    {"url", "folder", "created", "cover"},
    FieldNames(
        notes=(("note", "description"), ("highlights",)),  # `excerpt` is the page's own text
        folder=("folder",),
        tags=("tags",),
        separator=",",
        saved_at=("created",),
        starred=("favorite",),
    ),
)


def _read_pocket_zip(file: SourceFile) -> Entries:
    highlights = _pocket_highlights(file)
    for part in _pocket_parts(file):
        yield from part.as_member(_read_pocket_part(part, highlights))
    for collection in file.members(r"(?:.*/)?collections/.*\.csv"):
        yield from collection.as_member(unknown_products.TABLE.read(collection))
    # The remaining highlights are of pages that are in no list.
    for number, (url, (title, note)) in enumerate(highlights.items(), start=1):
        page = {"url": url, "title": title, "annotations": note}
        yield entry(message("place.annotation", n=number), page, _POCKET_NAMES)


def _pocket_parts(file: SourceFile) -> Iterator[SourceFile]:
    return (part for part in file.members(_PARTS) if not any(folder in part.name for folder in _OTHER_FOLDERS))


def _read_pocket_part(part: SourceFile, highlights: _Highlights) -> Entries:
    for row in tables.rows(part.text, part.table):
        if isinstance(row, BadLine):
            yield row
        else:
            _, note = highlights.pop(row.cells.get("url", ""), ("", ""))
            yield entry(row.place, {**row.cells, "annotations": note}, _POCKET_NAMES)


def _pocket_highlights(file: SourceFile) -> _Highlights:
    by_url: _Highlights = {}
    for part in file.members(r"(?:.*/)?annotations/.*\.json"):
        for page in json_data.objects(part.data):
            quotes = (
                values.quoted(highlight.get("quote"), highlight.get("note"))
                for highlight in json_data.objects_in(page, "highlights")
            )
            by_url[values.to_text(page.get("url"))] = page.get("title"), values.joined(*quotes)
    return by_url


POCKET_ZIP = ImportFormat("pocket", lambda file: any(map(POCKET.recognises, _pocket_parts(file))), _read_pocket_zip)
