"""Wallabag: a list with the saved pages. Version 1 has other field names."""

from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import dates, json_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.transfer.import_formats.source_file import SourceFile

_FETCH_FAILED = "errors_during_fetching"  # linked in the placeholder for a page that could not be fetched
_FETCH_FAILED_LENGTH = 2_000


def recognises(file: SourceFile) -> bool:
    items = _items(file.data)
    return bool(items) and "url" in items[0] and ("is_archived" in items[0] or {"is_read", "is_fav"} <= set(items[0]))


def read(file: SourceFile) -> Entries:
    for number, item in enumerate(_items(file.data), start=1):
        yield _entry(message("place.entry", n=number), item)


def _items(data: Any) -> list[dict[str, Any]]:
    """Accepts an export file or a page of Wallabag's API."""
    embedded = data.get("_embedded") if isinstance(data, dict) else None
    return json_text.objects(embedded if isinstance(embedded, dict) else data, "items")


def _entry(place: str, item: dict[str, Any]) -> Entry:
    content = texts.to_text(item.get("content"))
    highlights = (
        texts.quoted(annotation.get("quote"), annotation.get("text"))
        for annotation in json_text.objects_in(item, "annotations")
    )
    return entry(
        RawEntry(
            place,
            item.get("url") or item.get("given_url") or item.get("origin_url"),
            title=item.get("title"),
            note=texts.joined(*highlights),
            labels=tags.split(item.get("tags"), ","),
            saved_at=dates.moment(item.get("created_at")),
            archived=texts.true(item.get("is_archived", item.get("is_read"))),
            starred=texts.true(item.get("is_starred", item.get("is_fav"))),
            content="" if _FETCH_FAILED in content and len(content) < _FETCH_FAILED_LENGTH else content,
            language=item.get("language"),
        )
    )
