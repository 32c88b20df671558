"""Clean untrusted text for the terminal, and measure, cut and wrap it by display width.

Titles, intents and messages come from the web. Escape sequences in them could move the cursor, rename the window or
inject input. So all control characters are removed.
"""

import re
from collections.abc import Iterable
from typing import Any

from rich.cells import cell_len, chop_cells, set_cell_size

# Complete sequences are removed first, so that their letters do not remain as text; then single control characters.
_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
_BLANK = re.compile(r"[\t\x0b\x0c\x85\u2028\u2029]")
# Control characters, changes of text direction, and invisible characters.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)
_HALF = re.compile(r"[\ud800-\udfff]")
# Fields in which line breaks are kept; elsewhere a line break could imitate a line of this program's output.
LONG = frozenset({"normalized_text", "caption", "summary"})


def clean(text: str) -> str:
    """Remove everything that is not text; keep line breaks."""
    text = _SEQUENCE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _HALF.sub("\ufffd", _UNSEEN.sub("", _BLANK.sub(" ", text)))


def one_line(text: str) -> str:
    return " ".join(clean(text).split())


def clean_json(value: Any, field: str = "") -> Any:
    """Clean a JSON value of the API recursively."""
    if isinstance(value, str):
        return clean(value) if field in LONG else one_line(value)
    if isinstance(value, dict):
        return {one_line(name): clean_json(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [clean_json(part, field) for part in value]
    return value


def widest(texts: Iterable[str], limit: int) -> int:
    return min(limit, max((cell_len(text) for text in texts), default=0))


def cut(text: str, columns: int) -> str:
    """Cut to a display width, with an ellipsis if anything was cut."""
    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, columns - 1).rstrip() + "…" if columns > 0 else ""


def fit(text: str, columns: int) -> str:
    """Cut or pad to exactly this display width."""
    text = cut(text, columns)
    return text + " " * (columns - cell_len(text))


# Chinese may break between any two characters, except before closing and after opening marks.
_WIDE = (
    r"\u1100-\u115f\u2e80-\u2fff\u3001-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff"
    r"\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003fffd"
)
_BLANKS = r" \n\u3000"
_OPENS = re.escape("（《「『【〈〔［“‘([{")
_CLOSES = re.escape("，。、；：！？）》」』】〉〕］”’…—·%％,.;:!?)]}")
_UNIT = rf"(?:[{_WIDE}]|[^{_BLANKS}{_WIDE}]+)"
_UNBREAKABLE = re.compile(rf"([{_BLANKS}]*)({_UNIT}(?:(?:(?=[{_CLOSES}])|(?<=[{_OPENS}])){_UNIT})*)")


def wrap(text: str, columns: int | None) -> list[str]:
    """Wrap text to a width; `columns` None (a pipe) keeps each paragraph on one line."""
    if columns is None or ("\n" not in text and cell_len(text) <= columns):
        return [text]
    lines: list[str] = []
    for blanks, chunk in _UNBREAKABLE.findall(text.strip()):
        addition = " " * bool(blanks) + chunk
        if lines and cell_len(lines[-1]) + cell_len(addition) <= columns:
            lines[-1] += addition
        else:
            lines += chop_cells(chunk, columns) or [chunk]
    return lines or [""]
