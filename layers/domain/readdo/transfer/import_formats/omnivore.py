"""Omnivore: lists of metadata; its zip also has the saved pages and highlights, named by `slug`."""

from collections.abc import Callable

from readdo.messages import message
from readdo.transfer.import_formats import dates, decode, json_text, tags, texts
from readdo.transfer.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.transfer.import_formats.source_file import SourceFile
from readdo.transfer.import_formats.zip_members import members, within

_LISTS = r"(?:.*/)?metadata[^/]*\.json"
_PAGE_BYTES = 4 * texts.CONTENT_MAX  # at most four bytes per character
_NO_PAGE = "omnivore.app/no_url"  # a newsletter without a page; its text may be in the zip

# (folder, suffix, slug) → the text of that file
ReadMember = Callable[[str, str, str], str]


def recognises(file: SourceFile) -> bool:
    items = _items(file)
    return bool(items) and "slug" in items[0] and "url" in items[0] and "savedAt" in items[0]


def read(file: SourceFile) -> Entries:
    return _entries(file, lambda *_: "")


def recognises_zip(file: SourceFile) -> bool:
    return any(recognises(metadata) for metadata in members(file, _LISTS))


def read_zip(file: SourceFile) -> Entries:
    for metadata in members(file, _LISTS):
        yield from within(metadata, _entries(metadata, _member_reader(file, metadata.name.rpartition("/")[0])))


def _member_reader(file: SourceFile, top: str) -> ReadMember:
    packed = file.packed
    names = set(packed.names()) if packed else set[str]()

    def text(folder: str, suffix: str, slug: str) -> str:
        name = f"{top}/{folder}/{slug}.{suffix}".lstrip("/")
        return decode.text_of(packed.beginning(name, _PAGE_BYTES)) if packed and name in names else ""

    return text


def _items(file: SourceFile) -> list[dict[str, object]]:
    return [file.data] if isinstance(file.data, dict) else json_text.objects(file.data)


def _entries(file: SourceFile, read_member: ReadMember) -> Entries:
    for number, item in enumerate(_items(file), start=1):
        yield _entry(message("place.item", n=number), item, read_member)


def _entry(place: str, item: dict[str, object], read_member: ReadMember) -> Entry:
    slug, url = texts.to_text(item.get("slug")), texts.to_text(item.get("url"))
    content = read_member("content", "html", slug)
    return entry(
        RawEntry(
            place,
            "" if _NO_PAGE in url else url,
            title=item.get("title"),
            note=read_member("highlights", "md", slug),
            labels=tags.split(item.get("labels")),
            saved_at=dates.moment(item.get("savedAt")),
            archived=texts.to_text(item.get("state")).lower() == "archived",
            content=content,
        )
    )
