"""From what a product wrote down to a line within our limits, or to words about why it cannot be one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from readdo.import_formats import links, tags, texts
from readdo.import_formats.line import ImportLine
from readdo.import_formats.rejections import BadLine

Entry = ImportLine | BadLine
Entries = Iterator[Entry]
_SHOWN = 200


@dataclass(frozen=True)
class RawEntry:
    """What a product says of a page, in whatever form and at whatever length."""

    place: str
    url: object
    title: object = ""
    note: object = ""
    labels: Iterable[object] = ()
    saved_at: str = ""
    archived: bool = False
    starred: bool = False
    content: object = ""
    language: object = ""


def entry(said: RawEntry) -> Entry:
    """Long texts are cut rather than refused; a line without a link is one only if it carries its own text."""
    shown, content = texts.said(said.url).strip(), texts.content(said.content)
    heading = texts.one_line(said.title, texts.TITLE_MAX)
    try:
        link = links.link(shown) if shown or not content else ""
    except links.BadLink as error:
        return BadLine(said.place, error.args[0], texts.one_line(shown, _SHOWN) or heading[:_SHOWN])
    return ImportLine(
        url=link,
        title="" if heading in (link, shown) else heading,  # a link in place of a title is none
        note=texts.note(said.note),
        tags=tags.tidy(said.labels),
        saved_at=said.saved_at,
        archived=said.archived,
        starred=said.starred,
        content=content,
        language=texts.language(said.language),
    )
