"""Linkwarden: nested collections of links."""

from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import dates, json_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.transfer.import_formats.paths import by_id, path_to
from readdo.transfer.import_formats.source_file import SourceFile


def recognises(file: SourceFile) -> bool:
    return any("links" in collection for collection in json_text.objects_in(file.data, "collections"))


def read(file: SourceFile) -> Entries:
    collections = json_text.objects_in(file.data, "collections")
    by_ids = by_id(collections)
    pinned = {texts.to_text(link.get("id")) for link in json_text.objects_in(file.data, "pinnedLinks")}
    number = 0
    for collection in collections:
        path = path_to(collection.get("id"), by_ids) or [texts.to_text(collection.get("name"))]
        for link in json_text.objects_in(collection, "links"):
            number += 1
            yield _entry(message("place.link", n=number), link, path, pinned)


def _entry(place: str, link: dict[str, Any], path: list[str], pinned: set[str]) -> Entry:
    return entry(
        RawEntry(
            place,
            link.get("url"),
            title=link.get("name"),
            note=link.get("description"),
            labels=[*tags.folders(path), *tags.split(link.get("tags"))],
            saved_at=dates.moment(link.get("importDate")) or dates.moment(link.get("createdAt")),
            starred=bool(link.get("pinnedBy")) or texts.to_text(link.get("id")) in pinned,
            content=link.get("textContent"),
        )
    )
