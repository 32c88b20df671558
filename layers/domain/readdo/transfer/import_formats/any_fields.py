"""Read a row or object of an unknown product by its field names."""

from collections.abc import Mapping

from readdo.transfer.import_formats import dates, fields, tags, texts
from readdo.transfer.import_formats.entry import Entry, RawEntry, entry


def read(place: str, values: Mapping[str, object]) -> Entry:
    """`values`: by field name in lower case."""

    def first(names: tuple[str, ...] | frozenset[str]) -> object:
        return next((values[name] for name in names if values.get(name) not in (None, "", [])), "")

    folder = first(fields.FOLDER)
    return entry(
        RawEntry(
            place,
            first(fields.URL),
            title=first(fields.TITLE),
            note=texts.joined(*(values.get(name) for name in fields.NOTE)),
            labels=[*tags.folders(tags.split(folder, "/")), *tags.split(first(fields.TAGS))],
            saved_at=next((stamp for name in fields.SAVED_AT if (stamp := dates.moment(values.get(name)))), ""),
            archived=any(texts.true(values.get(name)) for name in fields.ARCHIVED)
            or texts.to_text(first(fields.STATE)).strip().casefold() in fields.ARCHIVED_STATES,
            starred=any(texts.true(values.get(name)) for name in fields.STARRED),
            content=first(fields.CONTENT),
            language=first(fields.LANGUAGE),
        )
    )
