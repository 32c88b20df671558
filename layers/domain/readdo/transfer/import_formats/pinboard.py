"""Pinboard's JSON in Delicious's terms: `description` is the title, and spaces separate tags."""

from readdo.messages import message
from readdo.transfer.import_formats import dates, json_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.source_file import SourceFile


def recognises(file: SourceFile) -> bool:
    bookmarks = json_text.objects(file.data)
    return bool(bookmarks) and {"href", "description", "extended"} <= set(bookmarks[0])


def read(file: SourceFile) -> Entries:
    for number, bookmark in enumerate(json_text.objects(file.data), start=1):
        yield entry(
            RawEntry(
                message("place.bookmark", n=number),
                bookmark.get("href"),
                title=bookmark.get("description"),
                note=bookmark.get("extended"),
                labels=tags.split(" ".join(texts.to_text(bookmark.get("tags")).split()), " "),
                saved_at=dates.moment(bookmark.get("time")),
            )
        )
