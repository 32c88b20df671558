"""JSON exports of Karakeep, Linkwarden, Omnivore, Pinboard and Wallabag, and Omnivore's zip."""

from collections.abc import Callable
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import json_data, values
from readdo.transfer.import_formats.import_line import BadLine, Entries, Entry, FieldNames, entry
from readdo.transfer.import_formats.json_data import objects, objects_in
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile, text_of

_KARAKEEP = FieldNames(
    notes=(("note",),),
    folder=("lists",),
    tags=("tags",),
    saved_at=("createdAt",),
    archived=("archived",),
    starred=("favourited",),
    content=("content",),
)
_LINKWARDEN = FieldNames(
    title=("name",),
    notes=(("description",),),
    folder=("collection",),
    tags=("tags",),
    saved_at=("importDate", "createdAt"),
    starred=("pinned",),
    content=("textContent",),
)
_OMNIVORE = FieldNames(
    notes=(("highlights",),),
    tags=("labels",),
    saved_at=("savedAt",),
    content=("content",),
    state=("state",),
    archived_states=("archived",),
)
# Delicious's terms: `description` is the title.
_PINBOARD = FieldNames(
    url=("href",),
    title=("description",),
    notes=(("extended",),),
    tags=("tags",),
    separator=" ",
    saved_at=("time",),
)
_WALLABAG = FieldNames(
    url=("url", "given_url", "origin_url"),
    notes=(("annotations",),),
    tags=("tags",),
    separator=",",
    saved_at=("created_at",),
    archived=("archived",),
    starred=("starred",),
    content=("content",),
    language=("language",),
)


def _is_karakeep(file: SourceFile) -> bool:
    bookmarks = objects_in(file.data, "bookmarks")
    return bool(bookmarks) and "content" in bookmarks[0] and "createdAt" in bookmarks[0]


def _read_karakeep(file: SourceFile) -> Entries:
    # A smart list is a saved search.
    lists = json_data.by_id([list_ for list_ in objects_in(file.data, "lists") if list_.get("type") != "smart"])
    for number, bookmark in enumerate(objects_in(file.data, "bookmarks"), start=1):
        yield _karakeep_entry(message("place.bookmark", n=number), bookmark, lists)


def _karakeep_entry(place: str, bookmark: dict[str, Any], lists: dict[str, dict[str, Any]]) -> Entry:
    content = bookmark.get("content")
    if not isinstance(content, dict) or content.get("type") not in ("link", "text"):
        title = values.one_line(bookmark.get("title"), values.TITLE_MAX)
        return BadLine(place, message("import_line.karakeep_asset"), title)
    list_ids = bookmark.get("lists")
    folders = [
        name for id_ in (list_ids if isinstance(list_ids, list) else ()) for name in json_data.path_to(id_, lists)
    ]
    url = content.get("url") or content.get("sourceUrl")
    return entry(place, {**bookmark, "url": url, "content": content.get("text"), "lists": folders}, _KARAKEEP)


def _is_linkwarden(file: SourceFile) -> bool:
    return any("links" in collection for collection in objects_in(file.data, "collections"))


def _read_linkwarden(file: SourceFile) -> Entries:
    collections = objects_in(file.data, "collections")
    by_id = json_data.by_id(collections)
    pinned = {values.to_text(link.get("id")) for link in objects_in(file.data, "pinnedLinks")}
    in_collections = ((collection, link) for collection in collections for link in objects_in(collection, "links"))
    for number, (collection, link) in enumerate(in_collections, start=1):
        path = json_data.path_to(collection.get("id"), by_id) or [values.to_text(collection.get("name"))]
        is_pinned = bool(link.get("pinnedBy")) or values.to_text(link.get("id")) in pinned
        yield entry(message("place.link", n=number), {**link, "collection": path, "pinned": is_pinned}, _LINKWARDEN)


def _is_pinboard(file: SourceFile) -> bool:
    bookmarks = objects(file.data)
    return bool(bookmarks) and {"href", "description", "extended"} <= set(bookmarks[0])


def _read_pinboard(file: SourceFile) -> Entries:
    for number, bookmark in enumerate(objects(file.data), start=1):
        tags = " ".join(values.to_text(bookmark.get("tags")).split())
        yield entry(message("place.bookmark", n=number), {**bookmark, "tags": tags}, _PINBOARD)


# Linked in the placeholder for a page that Wallabag could not fetch.
_FETCH_FAILED, _FETCH_FAILED_LENGTH = "errors_during_fetching", 2_000


def _is_wallabag(file: SourceFile) -> bool:
    items = _wallabag_items(file.data)
    return bool(items) and "url" in items[0] and ("is_archived" in items[0] or {"is_read", "is_fav"} <= set(items[0]))


def _wallabag_items(data: Any) -> list[dict[str, Any]]:
    """Accepts an export file or a page of Wallabag's API."""
    embedded = data.get("_embedded") if isinstance(data, dict) else None
    return objects(embedded if isinstance(embedded, dict) else data, "items")


def _read_wallabag(file: SourceFile) -> Entries:
    for number, item in enumerate(_wallabag_items(file.data), start=1):
        content = values.to_text(item.get("content"))
        record = {
            **item,
            "annotations": values.joined(
                *(values.quoted(one.get("quote"), one.get("text")) for one in objects_in(item, "annotations"))
            ),
            "archived": item.get("is_archived", item.get("is_read")),  # the latter in version 1
            "starred": item.get("is_starred", item.get("is_fav")),
            "content": "" if _FETCH_FAILED in content and len(content) < _FETCH_FAILED_LENGTH else content,
        }
        yield entry(message("place.entry", n=number), record, _WALLABAG)


_OMNIVORE_LISTS = r"(?:.*/)?metadata[^/]*\.json"
_OMNIVORE_PAGE_BYTES = 4 * values.CONTENT_MAX  # at most four bytes per character
_OMNIVORE_NO_PAGE = "omnivore.app/no_url"  # a newsletter without a page; its text may be in the zip
# (folder, suffix, slug) → the text of that file
_ReadMember = Callable[[str, str, str], str]


def _is_omnivore(file: SourceFile) -> bool:
    items = _omnivore_items(file)
    return bool(items) and "slug" in items[0] and "url" in items[0] and "savedAt" in items[0]


def _omnivore_items(file: SourceFile) -> list[dict[str, Any]]:
    return [file.data] if isinstance(file.data, dict) else objects(file.data)


def _read_omnivore(file: SourceFile, read_member: _ReadMember = lambda *_: "") -> Entries:
    for number, item in enumerate(_omnivore_items(file), start=1):
        slug, url = values.to_text(item.get("slug")), values.to_text(item.get("url"))
        record = {
            **item,
            "url": "" if _OMNIVORE_NO_PAGE in url else url,
            "content": read_member("content", "html", slug),
            "highlights": read_member("highlights", "md", slug),
        }
        yield entry(message("place.item", n=number), record, _OMNIVORE)


def _read_omnivore_zip(file: SourceFile) -> Entries:
    """The zip also has the saved pages and highlights, named by `slug`."""
    for metadata in file.members(_OMNIVORE_LISTS):
        yield from metadata.as_member(_read_omnivore(metadata, _member_reader(file, metadata.name.rpartition("/")[0])))


def _member_reader(file: SourceFile, top: str) -> _ReadMember:
    packed = file.packed
    names = set(packed.names()) if packed else set[str]()

    def text(folder: str, suffix: str, slug: str) -> str:
        name = f"{top}/{folder}/{slug}.{suffix}".lstrip("/")
        return text_of(packed.beginning(name, _OMNIVORE_PAGE_BYTES)) if packed and name in names else ""

    return text


KARAKEEP = ImportFormat("karakeep", _is_karakeep, _read_karakeep)
LINKWARDEN = ImportFormat("linkwarden", _is_linkwarden, _read_linkwarden)
PINBOARD = ImportFormat("pinboard", _is_pinboard, _read_pinboard)
WALLABAG = ImportFormat("wallabag", _is_wallabag, _read_wallabag)
OMNIVORE = ImportFormat("omnivore", _is_omnivore, _read_omnivore)
OMNIVORE_ZIP = ImportFormat(
    "omnivore", lambda file: any(map(_is_omnivore, file.members(_OMNIVORE_LISTS))), _read_omnivore_zip
)
