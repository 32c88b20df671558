"""Lines of an import, and the conversion of a product's record to a line."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from readdo.transfer.import_formats import values
from readdo.transfer.import_formats.links import BadLink, link

_LINK_SHOWN_MAX = 200


@dataclass(frozen=True)
class ImportLine:
    """Has a link, its own text in `content`, or both, within the limits of a capture."""

    url: str = ""
    title: str = ""
    note: str = ""  # the user's note, comment or highlights, never the page's own summary
    tags: tuple[str, ...] = ()  # a folder gives one tag per level
    saved_at: str = ""  # as readdo.clock formats it; empty if unknown
    archived: bool = False  # read or archived in the other product
    starred: bool = False
    content: str = ""  # the page's HTML or text, if the file has it
    language: str = ""


@dataclass(frozen=True)
class BadLine:
    place: str  # its position in the file, such as `line 12`
    words: str  # what is wrong with it, and what to do
    link: str = ""  # the beginning of the text in place of a link
    number: int = 0  # its number among all lines of the file, good and bad


class BadFile(Exception):
    """Its message tells the user what is wrong and what to do. May be raised while lines are read."""


Entry = ImportLine | BadLine
Entries = Iterator[Entry]


@dataclass(frozen=True)
class FieldNames:
    """Names of a product's fields. Of several names, the first with a value counts."""

    url: tuple[str, ...] = ("url",)
    title: tuple[str, ...] = ("title",)
    notes: tuple[tuple[str, ...], ...] = ()  # the notes of all groups are joined
    folder: tuple[str, ...] = ()  # a list of folders, or a path with `/`
    tags: tuple[str, ...] = ()
    separator: str = ""  # of tags; if empty, any of the usual ones
    saved_at: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    starred: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    archived_states: tuple[str, ...] = ()
    starred_states: tuple[str, ...] = ()
    product_states: tuple[str, ...] = ()  # any other state is a user's folder; if empty, no state is


def entry(place: str, record: Mapping[str, object], names: FieldNames) -> Entry:
    """Long texts are cut, not refused. A line without a link is valid only if it has its own text."""

    def first(fields: Iterable[str]) -> object:
        return next((record[field] for field in fields if record.get(field) not in (None, "", [])), "")

    written_url, content = values.to_text(first(names.url)).strip(), values.content(first(names.content))
    title = values.one_line(first(names.title), values.TITLE_MAX)
    try:
        url = link(written_url) if written_url or not content else ""
    except BadLink as error:
        return BadLine(place, error.args[0], values.one_line(written_url, _LINK_SHOWN_MAX) or title[:_LINK_SHOWN_MAX])
    written_state = values.to_text(first(names.state)).strip()
    state = written_state.casefold()
    folders = values.without_default_folders(values.split_tags(first(names.folder), "/"))
    if names.product_states and state not in names.product_states:
        folders.append(written_state)
    return ImportLine(
        url=url,
        title="" if title in (url, written_url) else title,  # some products repeat the link as the title
        note=values.joined(*(first(group) for group in names.notes)),
        tags=values.unique_tags([*folders, *values.split_tags(first(names.tags), names.separator)]),
        saved_at=next((date for field in names.saved_at if (date := values.date(record.get(field)))), ""),
        archived=state in names.archived_states or any(values.is_true(record.get(field)) for field in names.archived),
        starred=state in names.starred_states or any(values.is_true(record.get(field)) for field in names.starred),
        content=content,
        language=values.language(first(names.language)),
    )
