"""Write an artifact as headings and lines, and parse it.

Fields that are not shown (evidence, layout) are kept.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from terminal.text import clean, one_line


class UnreadableForm(Exception):
    """The text cannot be parsed; each problem says how to correct it."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Section:
    field: str
    write: Callable[[Any], str]
    read: Callable[[list[str]], Any]

    @property
    def heading(self) -> str:
        return f"## {self.field.capitalize()}"


def write(sections: Sequence[Section], payload: Mapping[str, Any]) -> str:
    return "\n\n".join(f"{part.heading}\n{part.write(payload[part.field])}" for part in sections)


def read(sections: Sequence[Section], text: str) -> dict[str, Any]:
    sections_read = _split_sections(sections, text)
    missing_sections = [part for part in sections if part.field not in sections_read]
    if missing_sections:
        raise UnreadableForm(
            *(f"The line “{part.heading}” is missing. Put it back, with its text below." for part in missing_sections)
        )
    return {part.field: part.read(sections_read[part.field]) for part in sections}


def _split_sections(sections: Sequence[Section], text: str) -> dict[str, list[str]]:
    """Split the text at its headings. Only the first occurrence of a heading counts; later ones are text."""
    headings = {part.heading.lower(): part.field for part in sections}
    lines_by_field: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.split("\n"):
        field = headings.get(line.strip().lower())
        if field and field not in lines_by_field:
            current = lines_by_field[field] = []
        else:
            current.append(line)
    return lines_by_field


def _escape(line: str) -> str:
    return "\\" + line if line.startswith(("## ", "\\")) else line


def _unescape(line: str) -> str:
    return line.removeprefix("\\") if line.startswith(("\\## ", "\\\\")) else line


def joined(before: str, after: str) -> str:
    """Join wrapped lines, with a space unless a wide (Chinese) character is at the break."""
    if not before or not after:
        return before or after
    wide = cell_len(before[-1]) == 2 or cell_len(after[0]) == 2
    return before + ("" if wide else " ") + after


def write_text(value: str) -> str:
    return _escape(one_line(value))


def read_text(lines: list[str]) -> str:
    text = ""
    for line in lines:
        text = joined(text, _unescape(line.strip()))
    return text


def write_list(value: Sequence[str]) -> str:
    return "\n".join(f"- {one_line(text)}" for text in value)


def read_list(lines: list[str]) -> list[str]:
    """Parse list items. A line without a dash continues the item above."""
    items: list[str] = []
    for line in (line.strip() for line in lines):
        begins = line.startswith(("- ", "* ", "• ")) or line in ("-", "*", "•")
        if begins or (line and not items):
            items.append(line[2:].strip() if begins else line)
        elif line:
            items[-1] = joined(items[-1], line)
    return [text for text in items if text]


def write_lines(value: str) -> str:
    return "\n".join(_escape(line) for line in clean(value).strip("\n").split("\n"))


def read_lines(lines: list[str]) -> str:
    return "\n".join(_unescape(line.rstrip()) for line in lines).strip("\n")


def write_tags(value: Sequence[str]) -> str:
    return " ".join(f"#{tag}" for tag in value)


def read_tags(lines: list[str]) -> list[str]:
    return [word.lstrip("#") for word in " ".join(lines).replace(",", " ").split() if word.strip("#")]


SUMMARY = (Section("bullets", write_list, read_list), Section("insight", write_text, read_text))
# The caption comes last: its lines are free text and may look like headings.
CARD = (
    Section("headline", write_text, read_text),
    Section("points", write_list, read_list),
    Section("insight", write_text, read_text),
    Section("action", write_text, read_text),
    Section("hashtags", write_tags, read_tags),
    Section("caption", write_lines, read_lines),
)


_TODO = re.compile(r"(?:[-*•]\s+|\d+\.\s+)?(P\d)\s+([A-Za-z]+)\s+(\d+(?:m|h)\+?)\s+(\S.*)", re.IGNORECASE)
_BELOW = re.compile(r"(why|tags)(?:\s*:\s*|\s+|$)(.*)", re.IGNORECASE)
_EXAMPLE = "P1  BUILD  30m  The title"


def write_todos(todos: Sequence[Mapping[str, Any]]) -> str:
    return "\n\n".join(_write_todo(todo) for todo in todos)


def _write_todo(todo: Mapping[str, Any]) -> str:
    lines = [f"{todo['priority']:3} {todo['type']:8} {todo['eta']:4} {one_line(todo['title'])}"]
    if todo.get("why"):
        lines.append(f"    why:  {one_line(todo['why'])}")
    if todo.get("tags"):
        lines.append("    tags: " + ", ".join(one_line(tag).replace(",", "\\,") for tag in todo["tags"]))
    return "\n".join(lines)


def read_todos(text: str) -> list[dict[str, Any]]:
    todos: list[dict[str, Any]] = []
    problems: list[str] = []
    field = ""
    for line in (line for line in text.split("\n") if line.strip()):
        below = line[0].isspace()
        match = None if below else _TODO.fullmatch(line.strip())
        if match:
            todos.append(_todo(match))
            field = "title"
        elif below and todos:
            field = _add(todos[-1], field, line.strip())
        else:
            problems.append(f"“{line.strip()[:60]}” is not a todo. Example: {_EXAMPLE}")
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
