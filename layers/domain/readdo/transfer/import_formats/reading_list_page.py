"""HTML reading list: Pocket's export until 2024 (`ril_export.html`) and Instapaper's."""

from readdo.transfer.import_formats import dates, tags
from readdo.transfer.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.transfer.import_formats.html_bookmarks import Mark, marks
from readdo.transfer.import_formats.source_file import SourceFile

_SIGNS = ("<title>pocket export", "<title>instapaper", "time_added=")
_ARCHIVES = ("read archive", "archive", "read")
_DEFAULT_FOLDERS = (*_ARCHIVES, "unread", "starred")


def recognises(file: SourceFile) -> bool:
    return file.head.lstrip().startswith("<") and "<dl" not in file.head and any(sign in file.head for sign in _SIGNS)


def read(file: SourceFile) -> Entries:
    return (_entry(mark) for mark in marks(file.text))


def _entry(mark: Mark) -> Entry:
    heading = mark.heading.lower()
    return entry(
        RawEntry(
            mark.place,
            mark.attributes.get("href", ""),
            title="".join(mark.title),
            labels=[
                *([] if heading in _DEFAULT_FOLDERS else [mark.heading]),
                *tags.split(mark.attributes.get("tags", ""), ","),
            ],
            saved_at=dates.moment(mark.attributes.get("time_added", "")),
            archived=heading in _ARCHIVES,
            starred=heading == "starred",
        )
    )
