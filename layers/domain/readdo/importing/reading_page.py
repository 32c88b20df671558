"""A reading list as a page: Pocket's export until 2024 (`ril_export.html`), and Instapaper's."""

from readdo.importing import dates, tags
from readdo.importing.entry import Entries, Entry, Said, entry
from readdo.importing.file import File
from readdo.importing.marks import Mark, marks

_SIGNS = ("<title>pocket export", "<title>instapaper", "time_added=")
_ARCHIVES = ("read archive", "archive", "read")
_OWN = (*_ARCHIVES, "unread", "starred")


def recognises(file: File) -> bool:
    return file.head.lstrip().startswith("<") and "<dl" not in file.head and any(sign in file.head for sign in _SIGNS)


def read(file: File) -> Entries:
    return (_one(mark) for mark in marks(file.text))


def _one(mark: Mark) -> Entry:
    heading = mark.heading.lower()
    return entry(
        Said(
            mark.place,
            mark.attributes.get("href", ""),
            title="".join(mark.title),
            labels=[*([] if heading in _OWN else [mark.heading]), *tags.split(mark.attributes.get("tags", ""), ",")],
            saved_at=dates.moment(mark.attributes.get("time_added", "")),
            archived=heading in _ARCHIVES,
            starred=heading == "starred",
        )
    )
