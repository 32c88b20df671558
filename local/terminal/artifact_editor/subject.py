"""Artifacts and item fields as editable text: write, parse, and send with the version that was read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from terminal import api
from terminal.api import Api, ApiResponse
from terminal.artifact_editor import form

ARTIFACTS = ("summary", "todos", "card")
FIELDS = {"intent": "intent_text", "title": "title", "language": "language", "profile": "profile", "content": "content"}
_HELP = {
    "summary": ("Three bullets of 8 to 180 characters, an insight of 12 to 240.",),
    "card": ("Characters at most: headline 90, each of three points 160, insight 220, action 200.",),
    "todos": (
        "One line per todo: P0–P3, type, time, title; below it, indented: why, tags.",
        "READ WRITE BUILD SHARE RESEARCH REVIEW DECIDE · 10m 20m 30m 45m 1h 2h 3h+",
    ),
    "intent": ("Why you saved it, in one line. Used from the next run.",),
    "title": ("The item's title.",),
    "language": ("Language of the summary, such as en or zh; empty: the language of the intent.",),
    "profile": ("Reading profile: engineer, creator or manager.",),
    "content": ("Text to use instead of the page. Used from the next run.",),
}


class Subject(Protocol):
    """An editable text. `read` parses it into what is sent; equal results mean that nothing changed."""

    @property
    def text(self) -> str: ...
    def read(self, text: str) -> Any: ...
    def send(self, to: Api, content: Any) -> ApiResponse: ...


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
            return form.write_todos(self.payload["todos"])
        return form.write(self._sections, self.payload)

    def read(self, text: str) -> dict[str, Any]:
        """Return the complete payload: only changed fields differ, and fields missing in the text are kept."""
        if self.as_json:
            return _json(text)
        before, after = self._fields(self.text), self._fields(text)
        changed = {name: value for name, value in after.items() if value != before[name]}
        return {**self.payload, **changed}

    def send(self, to: Api, content: Any) -> ApiResponse:
        return to.put(api.item(self.item_id, "artifacts", self.kind), content, self.version)

    def _fields(self, text: str) -> dict[str, Any]:
        return {"todos": form.read_todos(text)} if self.kind == "todos" else form.read(self._sections, text)

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

    def send(self, to: Api, content: Any) -> ApiResponse:
        return to.patch(api.item(self.item_id), content, self.version)


def _json(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise form.UnreadableForm(f"This is not valid JSON: {error}") from None
    if not isinstance(document, dict):
        raise form.UnreadableForm("This must be a JSON object: { … }")
    return document


def of(response: ApiResponse, kind: str, *, as_json: bool) -> Subject | None:
    """Build the subject; `None` if the item has nothing of this kind yet."""
    item_id = str(response.raw["item"]["id"])
    if kind in FIELDS:
        value = response.data["item"].get(FIELDS[kind], "")
        if kind == "content":
            extraction = response.data.get("artifacts", {}).get("extraction") or {}
            value = (extraction.get("payload") or {}).get("normalized_text", "")
        version = response.headers.get("ETag") or str(response.raw["item"].get("version", "*"))
        return Field(item_id, kind, str(value), version)
    artifact = (response.raw.get("artifacts") or {}).get(kind)
    return EditedArtifact(item_id, kind, artifact["payload"], str(artifact["version"]), as_json) if artifact else None


def help_of(kind: str, *, as_json: bool) -> tuple[str, ...]:
    closing = "Save and close to send. If you change nothing, nothing is sent."
    return (closing,) if as_json else (*_HELP[kind], closing)
