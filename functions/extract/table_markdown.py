"""Tables: those that hold data become Markdown, those that only lay out a page are walked through."""

import re
from collections.abc import Callable
from typing import Any

COLUMNS_MAX, ROWS_MAX = 50, 2000  # more is no table that anybody reads
CELLS_MAX = 400  # characters in a cell of data
_BLOCKS = ".//p|.//div|.//ul|.//ol|.//table|.//h1|.//h2|.//h3|.//form|.//blockquote|.//br"


def is_layout(node: Any) -> bool:
    """By what is in it: other tables, long cells with paragraphs in them, or one column only."""
    if node.get("role") == "presentation" or node.xpath("boolean(.//table)"):
        return True
    rows = _rows(node)
    if not rows or max(len(row) for row in rows) < 2:
        return True
    if node.xpath("boolean(./thead|.//th|./caption)"):
        return False
    cells = [cell for row in rows for cell in row]
    long = [cell for cell in cells if len("".join(cell.itertext())) > CELLS_MAX]
    return bool(long) or sum(len(cell.xpath(_BLOCKS)) > 2 for cell in cells) * 4 > len(cells)


def table(node: Any, inline: Callable[[Any], str]) -> tuple[str, str]:
    """What a reader sees, and the same as Markdown."""
    rows = [[_cell(inline(cell)) for cell in row[:COLUMNS_MAX]] for row in _rows(node)[:ROWS_MAX]]
    rows = [row for row in rows if any(row)]
    if not rows:
        return "", ""
    wide = min(COLUMNS_MAX, max(len(row) for row in rows))
    lines = ["| " + " | ".join(row + [""] * (wide - len(row))) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * wide)
    return "\n".join(" ".join(cell for cell in row if cell) for row in rows), "\n".join(lines)


def _rows(node: Any) -> list[list[Any]]:
    return [[cell for cell in row if cell.tag in ("td", "th")] for row in node.iter("tr")]


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().replace("|", "/")
