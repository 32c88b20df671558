"""What is edited: how it is written out, read back, and sent, with the version of it that was seen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from terminal import api
from terminal.api import Api, ApiResponse
from terminal.artifact_editor import form, todos

ARTIFACTS = ("summary", "todos", "card")
FIELDS = {"intent": "intent_text", "title": "title", "language": "language", "profile": "profile", "content": "content"}
_HELP = {
    "summary": ("Three bullets of 8 to 180 characters, an insight of 12 to 240.",),
    "card": ("Characters at most: headline 90, each of three points 160, insight 220, action 200.",),
    "todos": (
        "A line each: P0–P3, kind, time, what is to be done; below it, set in: why, tags.",
        "READ WRITE BUILD SHARE RESEARCH REVIEW DECIDE · 10m 20m 30m 45m 1h 2h 3h+",
    ),
    "intent": ("Why you saved it, in one line. It counts from the next run on.",),
    "title": ("What it is called.",),
    "language": ("The language to write in, such as en or zh; empty: that of the intent.",),
    "profile": ("What the summary looks for: engineer, creator or manager.",),
    "content": ("The text to be read in place of the page. It counts from the next run on.",),
}


class Subject(Protocol):
    """`read` gives what would be sent; two texts that read the same are the same."""

    @property
    def text(self) -> str: ...
    def read(self, text: str) -> Any: ...
    def send(self, to: Api, given: Any) -> ApiResponse: ...


@dataclass(frozen=True)
class EditedArtifact:
    item_id: str
    kind: str
    payload: Mapping[str, Any]
    version: str
    as_json: bool

    @property
    def text(self) -> str:
        if self.as_json:
            return json.dumps(self.payload, ensure_ascii=False, indent=2)
        if self.kind == "todos":
            return todos.write(self.payload["todos"])
        return form.write(self._sections, self.payload)

    def read(self, text: str) -> dict[str, Any]:
        """The whole payload: what is not in the text as it was, and what was not changed exactly as it was."""
        if self.as_json:
            return _json(text)
        before, after = self._fields(self.text), self._fields(text)
        changed = {name: value for name, value in after.items() if value != before[name]}
        return {**self.payload, **changed}

    def send(self, to: Api, given: Any) -> ApiResponse:
        return to.put(api.item(self.item_id, "artifacts", self.kind), given, self.version)

    def _fields(self, text: str) -> dict[str, Any]:
        return {"todos": todos.read(text)} if self.kind == "todos" else form.read(self._sections, text)

    @property
    def _sections(self) -> tuple[form.Section, ...]:
        return form.SUMMARY if self.kind == "summary" else form.CARD


@dataclass(frozen=True)
class Field:
    item_id: str
    name: str
    value: str
    version: str

    @property
    def text(self) -> str:
        return self.value

    def read(self, text: str) -> dict[str, str]:
        long = self.name == "content"
        return {FIELDS[self.name]: text.strip("\n") if long else form.read_text(text.split("\n"))}

    def send(self, to: Api, given: Any) -> ApiResponse:
        return to.patch(api.item(self.item_id), given, self.version)


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise form.UnreadableForm(f"This is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise form.UnreadableForm("This must be a JSON object: { … }")
    return found


def of(found: ApiResponse, kind: str, *, as_json: bool) -> Subject | None:
    """`None` if the item has nothing of this kind yet."""
    item_id = str(found.raw["item"]["id"])
    if kind in FIELDS:
        value = found.data["item"].get(FIELDS[kind], "")
        if kind == "content":
            extraction = found.data.get("artifacts", {}).get("extraction") or {}
            value = (extraction.get("payload") or {}).get("normalized_text", "")
        version = found.headers.get("ETag") or str(found.raw["item"].get("version", "*"))
        return Field(item_id, kind, str(value), version)
    made = (found.raw.get("artifacts") or {}).get(kind)
    return EditedArtifact(item_id, kind, made["payload"], str(made["version"]), as_json) if made else None


def help_of(kind: str, *, as_json: bool) -> tuple[str, ...]:
    how = "Save and close to send it. Leave it as it is, and nothing is sent."
    return (how,) if as_json else (*_HELP[kind], how)
