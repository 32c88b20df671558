"""Pinboard's JSON, in Delicious's words: the title is a `description`, and tags are divided by blanks."""

from readdo.importing import dates, json_text, tags, texts
from readdo.importing.entry import Entries, Said, entry
from readdo.importing.file import File


def recognises(file: File) -> bool:
    found = json_text.objects(file.data)
    return bool(found) and {"href", "description", "extended"} <= set(found[0])


def read(file: File) -> Entries:
    for number, bookmark in enumerate(json_text.objects(file.data), start=1):
        yield entry(
            Said(
                f"bookmark {number}",
                bookmark.get("href"),
                title=bookmark.get("description"),
                note=bookmark.get("extended"),
                labels=tags.split(" ".join(texts.said(bookmark.get("tags")).split()), " "),
                saved_at=dates.moment(bookmark.get("time")),
            )
        )
