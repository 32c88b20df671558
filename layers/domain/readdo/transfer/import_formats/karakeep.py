"""Karakeep (formerly Hoarder): links and texts, and in newer exports the lists of each."""

from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import dates, json_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.transfer.import_formats.paths import by_id, path_to
from readdo.transfer.import_formats.rejections import BadLine
from readdo.transfer.import_formats.source_file import SourceFile

_KINDS = ("link", "text", "asset")


def recognises(file: SourceFile) -> bool:
    bookmarks = json_text.objects_in(file.data, "bookmarks")
    return bool(bookmarks) and "content" in bookmarks[0] and "createdAt" in bookmarks[0]


def read(file: SourceFile) -> Entries:
    # A smart list is a saved search.
    lists = by_id([list_ for list_ in json_text.objects_in(file.data, "lists") if list_.get("type") != "smart"])
    for number, bookmark in enumerate(json_text.objects_in(file.data, "bookmarks"), start=1):
        yield _entry(message("place.bookmark", n=number), bookmark, lists)


def _entry(place: str, bookmark: dict[str, Any], lists: dict[str, dict[str, Any]]) -> Entry:
    content = bookmark.get("content")
    if not isinstance(content, dict):
        content = {"type": "asset"}
    if content.get("type") not in _KINDS[:2]:
        return BadLine(
            place, message("import_line.karakeep_asset"), texts.one_line(bookmark.get("title"), texts.TITLE_MAX)
        )
    list_ids = bookmark.get("lists")
    folders = [name for id_ in (list_ids if isinstance(list_ids, list) else ()) for name in path_to(id_, lists)]
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
