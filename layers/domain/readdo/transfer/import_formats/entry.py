"""Convert a product's record to an import line within our limits, or to a bad line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from readdo.transfer.import_formats import links, tags, texts
from readdo.transfer.import_formats.import_line import ImportLine
from readdo.transfer.import_formats.rejections import BadLine

Entry = ImportLine | BadLine
Entries = Iterator[Entry]
_LINK_SHOWN_MAX = 200


@dataclass(frozen=True)
class RawEntry:
    """A record as the product wrote it, in any form and of any length."""

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


def entry(raw: RawEntry) -> Entry:
    """Long texts are cut, not refused. A line without a link is valid only if it has its own text."""
    url, content = texts.to_text(raw.url).strip(), texts.content(raw.content)
    heading = texts.one_line(raw.title, texts.TITLE_MAX)
    try:
        link = links.link(url) if url or not content else ""
    except links.BadLink as error:
        return BadLine(raw.place, error.args[0], texts.one_line(url, _LINK_SHOWN_MAX) or heading[:_LINK_SHOWN_MAX])
    return ImportLine(
        url=link,
        title="" if heading in (link, url) else heading,  # some products repeat the link as the title
        note=texts.note(raw.note),
        tags=tags.tidy(raw.labels),
        saved_at=raw.saved_at,
        archived=raw.archived,
        starred=raw.starred,
        content=content,
        language=texts.language(raw.language),
    )
