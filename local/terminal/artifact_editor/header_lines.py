"""The lines at the top of a text that is edited: what it is, how to go on, and what was wrong with it."""

from collections.abc import Sequence

_MARK = "# readdo edit"


def put(text: str, what: str, help_lines: Sequence[str], problems: Sequence[str] = ()) -> str:
    """It ends at the first empty line, so that a text may begin with # itself."""
    lines = [f"{_MARK} {what}. What stands above the first empty line is not sent."]
    lines += [f"# {line}" for line in help_lines]
    lines += [f"# ✗ {problem}" for problem in problems]
    return "\n".join(lines) + "\n\n" + text.rstrip("\n") + "\n"


def drop(text: str) -> str:
    """A text without such a top (from a file, or with the top deleted) is all text."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if not text.startswith(_MARK):
        return text.strip("\n")
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[first:]).strip("\n")
