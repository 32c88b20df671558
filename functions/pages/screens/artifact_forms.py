"""What a form of an artifact says, as its payload. What the form does not show stays as it was."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Sent = Mapping[str, Sequence[str]]
TODOS_MAX = 7
PARTS = ("title", "eta", "type", "why", "priority", "tags")


def _one(sent: Sent, name: str) -> str:
    """A browser sends a line break as two characters."""
    return (sent.get(name) or [""])[-1].replace("\r\n", "\n").strip()


def _all(sent: Sent, name: str) -> list[str]:
    return [text.replace("\r\n", " ").strip() for text in sent.get(name, ()) if text.strip()]


def _words(text: str) -> list[str]:
    return [word.lstrip("#") for word in text.replace(",", " ").replace("，", " ").split() if word.strip("#")]


def summary(sent: Sent, before: Mapping[str, Any]) -> dict[str, Any]:
    return {**_kept(before), "bullets": _all(sent, "bullets"), "insight": _one(sent, "insight")}


def card(sent: Sent, before: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: _one(sent, name) for name in ("headline", "insight", "action", "caption")}
    return {**_kept(before), **texts, "points": _all(sent, "points"), "hashtags": _words(_one(sent, "hashtags"))}


def todos(sent: Sent, before: Mapping[str, Any]) -> dict[str, Any]:
    """A row without a title is none."""
    rows = [{name: _one(sent, f"{name}{place}") for name in PARTS} for place in range(TODOS_MAX)]
    return {**_kept(before), "todos": [{**row, "tags": _words(row["tags"])} for row in rows if row["title"]]}


def _kept(before: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in before.items() if name in ("evidence", "render_spec")}


READ: Mapping[str, Callable[[Sent, Mapping[str, Any]], dict[str, Any]]] = {
    "summary": summary,
    "todos": todos,
    "card": card,
}
