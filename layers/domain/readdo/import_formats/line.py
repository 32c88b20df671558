"""What one line of an import says, whatever product it comes from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ImportLine:
    """A line has a link, or its own text in `content`, or both; all of it within the limits of a capture."""

    url: str = ""
    title: str = ""
    note: str = ""  # the person's own words: a note, a comment, what they marked; never the page's own summary
    tags: tuple[str, ...] = ()  # a folder is a tag for each of its levels
    saved_at: str = ""  # as readdo.clock writes it; empty if the file does not say
    archived: bool = False  # read or archived there
    starred: bool = False
    content: str = ""  # the page's HTML or text, where the file carries it
    language: str = ""
