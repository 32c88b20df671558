"""Source file with cached views that all formats share."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import archives, decode, json_text, table_text
from readdo.transfer.import_formats.fields import URL

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
        """The beginning in lower case, which identifies the format."""
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
        """The value of a JSON file, else NO_JSON."""
        is_json = self.head.lstrip()[:1] in ("{", "[")
        return json_text.value_of(self.text) if is_json else json_text.NO_JSON

    def has_columns(self, *columns: str) -> bool:
        return set(columns) <= set(self.table.columns)

    @property
    def shown(self) -> str:
        """Printable name for messages."""
        return "".join(c if c.isprintable() else "?" for c in self.name[-100:]) or message("import_file.the_file")
