"""Read an artifact's payload from a form. Fields that the form does not show are kept."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Form = Mapping[str, Sequence[str]]
TODOS_MAX = 7
PARTS = ("title", "eta", "type", "why", "priority", "tags")


def _one(form: Form, name: str) -> str:
    """The last value of a field. Browsers send a line break as CR LF."""
    return (form.get(name) or [""])[-1].replace("\r\n", "\n").strip()


def _all(form: Form, name: str) -> list[str]:
    return [text.replace("\r\n", " ").strip() for text in form.get(name, ()) if text.strip()]


def _words(text: str) -> list[str]:
    return [word.lstrip("#") for word in text.replace(",", " ").replace("，", " ").split() if word.strip("#")]


def summary(form: Form, previous: Mapping[str, Any]) -> dict[str, Any]:
    return {**_hidden_fields(previous), "bullets": _all(form, "bullets"), "insight": _one(form, "insight")}


def card(form: Form, previous: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: _one(form, name) for name in ("headline", "insight", "action", "caption")}
    return {
        **_hidden_fields(previous),
        **texts,
        "points": _all(form, "points"),
        "hashtags": _words(_one(form, "hashtags")),
    }


def todos(form: Form, previous: Mapping[str, Any]) -> dict[str, Any]:
    """The todos of a form. Rows without a title are dropped."""
    rows = [{name: _one(form, f"{name}{position}") for name in PARTS} for position in range(TODOS_MAX)]
    return {**_hidden_fields(previous), "todos": [{**row, "tags": _words(row["tags"])} for row in rows if row["title"]]}


def _hidden_fields(previous: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in previous.items() if name in ("evidence", "render_spec")}


READ: Mapping[str, Callable[[Form, Mapping[str, Any]], dict[str, Any]]] = {
    "summary": summary,
    "todos": todos,
    "card": card,
}
