"""An artifact as headings and lines, and back. What is not shown (evidence, how a card is drawn) stays as it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from terminal.text import clean, one_line, width


class UnreadableForm(Exception):
    """The text has lost its form; each problem says how to mend it."""

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
    found = _parted(sections, text)
    lost = [part for part in sections if part.field not in found]
    if lost:
        raise UnreadableForm(
            *(f"The line “{part.heading}” is missing. Put it back, with its text below." for part in lost)
        )
    return {part.field: part.read(found[part.field]) for part in sections}


def _parted(sections: Sequence[Section], text: str) -> dict[str, list[str]]:
    """A heading counts once, so that a text may say the same word as a heading later."""
    headings = {part.heading.lower(): part.field for part in sections}
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.split("\n"):
        field = headings.get(line.strip().lower())
        if field and field not in found:
            current = found[field] = []
        else:
            current.append(line)
    return found


def _guarded(line: str) -> str:
    return "\\" + line if line.startswith(("## ", "\\")) else line


def _plain(line: str) -> str:
    return line.removeprefix("\\") if line.startswith(("\\## ", "\\\\")) else line


def joined(before: str, after: str) -> str:
    """Lines that were broken to fit a window become one again; Chinese takes no blank there."""
    if not before or not after:
        return before or after
    wide = width(before[-1]) == 2 or width(after[0]) == 2
    return before + ("" if wide else " ") + after


def write_text(value: str) -> str:
    return _guarded(one_line(value))


def read_text(lines: list[str]) -> str:
    found = ""
    for line in lines:
        found = joined(found, _plain(line.strip()))
    return found


def write_list(value: Sequence[str]) -> str:
    return "\n".join(f"- {one_line(text)}" for text in value)


def read_list(lines: list[str]) -> list[str]:
    """Each begins with a dash; a line without one goes on with the one above."""
    found: list[str] = []
    for line in (line.strip() for line in lines):
        begins = line.startswith(("- ", "* ", "• ")) or line in ("-", "*", "•")
        if begins or (line and not found):
            found.append(line[2:].strip() if begins else line)
        elif line:
            found[-1] = joined(found[-1], line)
    return [text for text in found if text]


def write_lines(value: str) -> str:
    return "\n".join(_guarded(line) for line in clean(value).strip("\n").split("\n"))


def read_lines(lines: list[str]) -> str:
    return "\n".join(_plain(line.rstrip()) for line in lines).strip("\n")


def write_tags(value: Sequence[str]) -> str:
    return " ".join(f"#{tag}" for tag in value)


def read_tags(lines: list[str]) -> list[str]:
    return [word.lstrip("#") for word in " ".join(lines).replace(",", " ").split() if word.strip("#")]


SUMMARY = (Section("bullets", write_list, read_list), Section("insight", write_text, read_text))
# The caption comes last: it has lines of its own, and they may look like anything.
CARD = (
    Section("headline", write_text, read_text),
    Section("points", write_list, read_list),
    Section("insight", write_text, read_text),
    Section("action", write_text, read_text),
    Section("hashtags", write_tags, read_tags),
    Section("caption", write_lines, read_lines),
)
