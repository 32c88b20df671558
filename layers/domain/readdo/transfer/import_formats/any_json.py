"""JSON of unknown origin: a list of links, a list of objects with a link, or one object per line."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import any_fields, fields, json_text, texts
from readdo.transfer.import_formats.entry import Entries, RawEntry, entry
from readdo.transfer.import_formats.rejections import BadFile, BadLine
from readdo.transfer.import_formats.source_file import SourceFile

_SAMPLE = 20
_FIRST = re.compile(r"\s*+(\{[^\r\n]*+)")
_BROKEN = re.compile(r"\s*+(?:\{|\[\s*+(?:[\[{\"]|$))")  # Markdown may begin with a bracket, too
_LINK_FIELDS = fields.URL | set(fields.CONTENT)


def recognises(file: SourceFile) -> bool:
    return any(_has_link(value) for value in _values(file.data)[:_SAMPLE])


def read(file: SourceFile) -> Entries:
    return _read(("place.item", value) for value in _values(file.data))


def recognises_lines(file: SourceFile) -> bool:
    first = _FIRST.match(file.text) if file.data is json_text.NO_JSON else None
    return first is not None and _has_link(json_text.value_of(first[1]))


def read_lines(file: SourceFile) -> Entries:
    lines = texts.split_lines(file.text)
    return _read(("place.line", json_text.value_of(line) if line.strip() else None) for line in lines)


def recognises_broken(file: SourceFile) -> bool:
    return file.data is json_text.NO_JSON and _BROKEN.match(file.head) is not None


def read_broken(file: SourceFile) -> Entries:
    raise BadFile(message("import_file.broken_json", file=file.shown))


def _read(values: Iterable[tuple[str, Any]]) -> Iterator[Any]:
    for number, (unit, value) in enumerate(values, start=1):
        place = message(unit, n=number)
        if isinstance(value, dict):
            yield any_fields.read(place, {name.casefold(): field for name, field in value.items()})
        elif isinstance(value, str):
            yield entry(RawEntry(place, value))
        elif value is not None:
            yield BadLine(place, message("import_line.no_link_object"))


def _values(data: Any) -> list[Any]:
    if isinstance(data, dict):
        values = next((data[name] for name in fields.LISTS if isinstance(data.get(name), list)), None)
        return [data] if values is None else values
    return data if isinstance(data, list) else []


def _has_link(value: Any) -> bool:
    if isinstance(value, dict):
        return any(isinstance(value.get(name), str) for name in value if name.casefold() in _LINK_FIELDS)
    return isinstance(value, str) and value.lstrip()[:4].lower() == "http"
