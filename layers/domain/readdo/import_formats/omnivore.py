"""Omnivore: lists of metadata, and in its zip each page as it was saved and what was marked in it, by `slug`."""

from collections.abc import Callable

from readdo.import_formats import dates, decode, json_text, tags, texts
from readdo.import_formats.entry import Entries, Entry, RawEntry, entry
from readdo.import_formats.file import SourceFile
from readdo.import_formats.member import members, within
from readdo.messages import message

_LISTS = r"(?:.*/)?metadata[^/]*\.json"
_PAGE_BYTES = 4 * texts.CONTENT_MAX  # more than is kept, whatever the characters
_NO_PAGE = "omnivore.app/no_url"  # of a newsletter, which leads nowhere; its text may lie beside

# (folder, suffix, slug) → the text of that file
Beside = Callable[[str, str, str], str]


def recognises(file: SourceFile) -> bool:
    found = _items(file)
    return bool(found) and "slug" in found[0] and "url" in found[0] and "savedAt" in found[0]


def read(file: SourceFile) -> Entries:
    return _list(file, lambda *_: "")


def recognises_zip(file: SourceFile) -> bool:
    return any(recognises(listed) for listed in members(file, _LISTS))


def read_zip(file: SourceFile) -> Entries:
    for listed in members(file, _LISTS):
        yield from within(listed, _list(listed, _beside(file, listed.name.rpartition("/")[0])))


def _beside(file: SourceFile, top: str) -> Beside:
    packed = file.packed
    names = set(packed.names()) if packed else set[str]()

    def text(folder: str, suffix: str, slug: str) -> str:
        name = f"{top}/{folder}/{slug}.{suffix}".lstrip("/")
        return decode.text_of(packed.beginning(name, _PAGE_BYTES)) if packed and name in names else ""

    return text


def _items(file: SourceFile) -> list[dict[str, object]]:
    return [file.data] if isinstance(file.data, dict) else json_text.objects(file.data)


def _list(file: SourceFile, beside: Beside) -> Entries:
    for number, item in enumerate(_items(file), start=1):
        yield _one(message("place.item", n=number), item, beside)


def _one(place: str, item: dict[str, object], beside: Beside) -> Entry:
    slug, url = texts.said(item.get("slug")), texts.said(item.get("url"))
    content = beside("content", "html", slug)
    return entry(
        RawEntry(
            place,
            "" if _NO_PAGE in url else url,
            title=item.get("title"),
            note=beside("highlights", "md", slug),
            labels=tags.split(item.get("labels")),
            saved_at=dates.moment(item.get("savedAt")),
            archived=texts.said(item.get("state")).lower() == "archived",
            content=content,
        )
    )
