"""Wallabag: a list with each page as it was saved; the first version had other names for the same."""

from typing import Any

from readdo.import_formats import dates, json_text, tags, texts
from readdo.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.messages import message

_FAILED = "errors_during_fetching"  # the page that it links to in place of a text that it could not get
_FAILED_LENGTH = 2_000


def recognises(file: SourceFile) -> bool:
    found = _items(file.data)
    return bool(found) and "url" in found[0] and ("is_archived" in found[0] or {"is_read", "is_fav"} <= set(found[0]))


def read(file: SourceFile) -> Entries:
    for number, item in enumerate(_items(file.data), start=1):
        yield _one(message("place.entry", n=number), item)


def _items(data: Any) -> list[dict[str, Any]]:
    """A file of its export, or a page of its API."""
    within = data.get("_embedded") if isinstance(data, dict) else None
    return json_text.objects(within if isinstance(within, dict) else data, "items")


def _one(place: str, item: dict[str, Any]) -> Entry:
    content = texts.said(item.get("content"))
    marked = (texts.quoted(one.get("quote"), one.get("text")) for one in json_text.objects_in(item, "annotations"))
    return entry(
        RawEntry(
            place,
            item.get("url") or item.get("given_url") or item.get("origin_url"),
            title=item.get("title"),
            note=texts.joined(*marked),
            labels=tags.split(item.get("tags"), ","),
            saved_at=dates.moment(item.get("created_at")),
            archived=texts.true(item.get("is_archived", item.get("is_read"))),
            starred=texts.true(item.get("is_starred", item.get("is_fav"))),
            content="" if _FAILED in content and len(content) < _FAILED_LENGTH else content,
            language=item.get("language"),
        )
    )
