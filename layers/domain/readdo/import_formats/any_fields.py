"""A row or an object of whatever product, by the names of its fields."""

from collections.abc import Mapping

from readdo.import_formats import dates, fields, tags, texts
from readdo.import_formats.entry import Entry, RawEntry, entry


def read(place: str, said: Mapping[str, object]) -> Entry:
    """`said`: names in small letters."""

    def first(names: tuple[str, ...] | frozenset[str]) -> object:
        return next((said[name] for name in names if said.get(name) not in (None, "", [])), "")

    folder = first(fields.FOLDER)
    return entry(
        RawEntry(
            place,
            first(fields.URL),
            title=first(fields.TITLE),
            note=texts.joined(*(said.get(name) for name in fields.NOTE)),
            labels=[*tags.folders(tags.split(folder, "/")), *tags.split(first(fields.TAGS))],
            saved_at=next((found for name in fields.SAVED_AT if (found := dates.moment(said.get(name)))), ""),
            archived=any(texts.true(said.get(name)) for name in fields.ARCHIVED)
            or texts.said(first(fields.STATE)).strip().casefold() in fields.ARCHIVED_STATES,
            starred=any(texts.true(said.get(name)) for name in fields.STARRED),
            content=first(fields.CONTENT),
            language=first(fields.LANGUAGE),
        )
    )
