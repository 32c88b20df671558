"""A line of an import, whatever product it comes from."""

from dataclasses import dataclass


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
