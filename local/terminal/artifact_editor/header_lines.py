"""Instruction lines at the top of an edited text: subject, help and problems."""

from collections.abc import Sequence

_MARK = "# readdo edit"


def put(text: str, what: str, help_lines: Sequence[str], problems: Sequence[str] = ()) -> str:
    """Add the instruction lines. They end at the first empty line, so the text itself may begin with #."""
    lines = [f"{_MARK} {what}. Lines above the first empty line are not sent."]
    lines += [f"# {line}" for line in help_lines]
    lines += [f"# ✗ {problem}" for problem in problems]
    return "\n".join(lines) + "\n\n" + text.rstrip("\n") + "\n"


def drop(text: str) -> str:
    """Remove the instruction lines, if any; a text from a file has none."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if not text.startswith(_MARK):
        return text.strip("\n")
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[first:]).strip("\n")
