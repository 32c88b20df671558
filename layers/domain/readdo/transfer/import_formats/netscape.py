"""HTML bookmark page of browsers, Pinboard, Raindrop, linkding and others."""

from readdo.transfer.import_formats import dates, tags, texts
from readdo.transfer.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.transfer.import_formats.html_bookmarks import Mark, marks
from readdo.transfer.import_formats.source_file import SourceFile

_ARCHIVED = "linkding:bookmarks.archived"  # linkding's tag, since the format has no attribute for it
_NOTES = ("[linkding-notes]", "[/linkding-notes]")


def recognises(file: SourceFile) -> bool:
    head = file.head.lstrip()
    return head.startswith("<") and ("netscape-bookmark-file" in head[:2000] or ("<dl" in head and "<dt" in head))


def read(file: SourceFile) -> Entries:
    return (_entry(mark) for mark in marks(file.text))


def _entry(mark: Mark) -> Entry:
    attributes, note = mark.attributes, "".join(mark.note)
    for marker in _NOTES:
        note = note.replace(marker, "\n\n")
    labels = tags.split(attributes.get("tags", ""), ",")
    return entry(
        RawEntry(
            mark.place,
            attributes.get("href", ""),
            title="".join(mark.title),
            note=note,
            labels=[*tags.folders(mark.folders), *(label for label in labels if label != _ARCHIVED)],
            saved_at=dates.moment(attributes.get("add_date", "")),
            archived=_ARCHIVED in labels,
            starred=texts.true(attributes.get("data-important")),
        )
    )
