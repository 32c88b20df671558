"""Karakeep, once Hoarder: links and texts; newer exports say which lists each is in."""

from typing import Any

from readdo.import_formats import dates, json_text, tags, texts
from readdo.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.import_formats.paths import by_id, path_to
from readdo.import_formats.rejections import BadLine
from readdo.messages import message

_KINDS = ("link", "text", "asset")


def recognises(file: SourceFile) -> bool:
    found = json_text.objects_in(file.data, "bookmarks")
    return bool(found) and "content" in found[0] and "createdAt" in found[0]


def read(file: SourceFile) -> Entries:
    chosen = [
        one for one in json_text.objects_in(file.data, "lists") if one.get("type") != "smart"
    ]  # a search is no list
    lists = by_id(chosen)
    for number, bookmark in enumerate(json_text.objects_in(file.data, "bookmarks"), start=1):
        yield _one(message("place.bookmark", n=number), bookmark, lists)


def _one(place: str, bookmark: dict[str, Any], lists: dict[str, dict[str, Any]]) -> Entry:
    said = bookmark.get("content")
    content = said if isinstance(said, dict) else {"type": "asset"}
    if content.get("type") not in _KINDS[:2]:
        return BadLine(
            place, message("import_line.karakeep_asset"), texts.one_line(bookmark.get("title"), texts.TITLE_MAX)
        )
    given = bookmark.get("lists")
    folders = [name for one in (given if isinstance(given, list) else ()) for name in path_to(one, lists)]
    return entry(
        RawEntry(
            place,
            content.get("url") or content.get("sourceUrl"),
            title=bookmark.get("title"),
            note=bookmark.get("note"),
            labels=[*tags.folders(folders), *tags.split(bookmark.get("tags"))],
            saved_at=dates.moment(bookmark.get("createdAt")),
            archived=texts.true(bookmark.get("archived")),
            starred=texts.true(bookmark.get("favourited")),
            content=content.get("text"),
        )
    )
