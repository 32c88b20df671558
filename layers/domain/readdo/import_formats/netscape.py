"""A browser's bookmarks as a page, which also Pinboard, Raindrop, linkding and many more write."""

from readdo.import_formats import dates, tags, texts
from readdo.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.import_formats.marks import Mark, marks

_ARCHIVED = "linkding:bookmarks.archived"  # as linkding says it, for want of an attribute
_NOTES = ("[linkding-notes]", "[/linkding-notes]")


def recognises(file: SourceFile) -> bool:
    head = file.head.lstrip()
    return head.startswith("<") and ("netscape-bookmark-file" in head[:2000] or ("<dl" in head and "<dt" in head))


def read(file: SourceFile) -> Entries:
    return (_one(mark) for mark in marks(file.text))


def _one(mark: Mark) -> Entry:
    said, note = mark.attributes, "".join(mark.note)
    for marker in _NOTES:
        note = note.replace(marker, "\n\n")
    labels = tags.split(said.get("tags", ""), ",")
    return entry(
        RawEntry(
            mark.place,
            said.get("href", ""),
            title="".join(mark.title),
            note=note,
            labels=[*tags.folders(mark.folders), *(label for label in labels if label != _ARCHIVED)],
            saved_at=dates.moment(said.get("add_date", "")),
            archived=_ARCHIVED in labels,
            starred=texts.true(said.get("data-important")),
        )
    )
