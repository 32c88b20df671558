"""A file as the recognisers look at it. What one of them has found out, the next need not find out again."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from readdo.import_formats import archives, decode, json_text, table_text
from readdo.import_formats.fields import URL

_HEAD = 20_000


@dataclass(frozen=True)
class SourceFile:
    name: str
    body: bytes

    @cached_property
    def text(self) -> str:
        return "" if self.packed else decode.text_of(self.body)

    @cached_property
    def head(self) -> str:
        """Where a file says what it is, in small letters."""
        return self.text[:_HEAD].lower()

    @cached_property
    def packed(self) -> archives.Packed | None:
        return archives.Packed(self.body) if archives.is_zip(self.body) else None

    @cached_property
    def table(self) -> table_text.CsvTable:
        first = self.head.lstrip()[:1]
        return table_text.CsvTable() if first in ("<", "{", "[") else table_text.table_of(self.text, URL)

    @cached_property
    def data(self) -> Any:
        """A JSON file's value; else NO_JSON."""
        looks = self.head.lstrip()[:1] in ("{", "[")
        return json_text.value_of(self.text) if looks else json_text.NO_JSON

    def has_columns(self, *columns: str) -> bool:
        return set(columns) <= set(self.table.columns)

    @property
    def shown(self) -> str:
        """Its name, for words."""
        return "".join(c if c.isprintable() else "?" for c in self.name[-100:]) or "The file"
