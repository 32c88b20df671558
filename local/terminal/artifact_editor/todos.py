"""Write todos as lines and parse them: priority, type, time and title; why and tags indented below."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from terminal.artifact_editor.form import UnreadableForm, joined
from terminal.text import one_line

_LINE = re.compile(r"(?:[-*•]\s+|\d+\.\s+)?(P\d)\s+([A-Za-z]+)\s+(\d+(?:m|h)\+?)\s+(\S.*)", re.IGNORECASE)
_BELOW = re.compile(r"(why|tags)(?:\s*:\s*|\s+|$)(.*)", re.IGNORECASE)
_FORM = "P1  BUILD  30m  The title"


def write(todos: Sequence[Mapping[str, Any]]) -> str:
    return "\n\n".join(_write(todo) for todo in todos)


def _write(todo: Mapping[str, Any]) -> str:
    lines = [f"{todo['priority']:3} {todo['type']:8} {todo['eta']:4} {one_line(todo['title'])}"]
    if todo.get("why"):
        lines.append(f"    why:  {one_line(todo['why'])}")
    if todo.get("tags"):
        lines.append("    tags: " + ", ".join(one_line(tag).replace(",", "\\,") for tag in todo["tags"]))
    return "\n".join(lines)


def read(text: str) -> list[dict[str, Any]]:
    todos: list[dict[str, Any]] = []
    problems: list[str] = []
    field = ""
    for line in (line for line in text.split("\n") if line.strip()):
        below = line[0].isspace()
        match = None if below else _LINE.fullmatch(line.strip())
        if match:
            todos.append(_todo(match))
            field = "title"
        elif below and todos:
            field = _add(todos[-1], field, line.strip())
        else:
            problems.append(f"“{line.strip()[:60]}” is not a todo. Example: {_FORM}")
    if problems:
        raise UnreadableForm(*problems)
    return [{**todo, "tags": _tags(todo["tags"])} for todo in todos]


def _todo(match: re.Match[str]) -> dict[str, Any]:
    priority, kind, eta, title = match.groups()
    fields = {"title": title.strip(), "eta": eta.lower(), "type": kind.upper(), "why": "", "priority": priority.upper()}
    return {**fields, "tags": ""}


def _add(todo: dict[str, Any], field: str, line: str) -> str:
    """Add an indented line: a new field, or the continuation of the field above."""
    named = _BELOW.fullmatch(line)
    if named and not todo[named[1].lower()]:
        todo[named[1].lower()] = named[2].strip()
        return named[1].lower()
    todo[field] = joined(todo[field], line)
    return field


def _tags(text: str) -> list[str]:
    parts = [part.replace("\\,", ",").strip() for part in re.split(r"(?<!\\),", text)]
    return [part.removeprefix("#") for part in parts if part]
