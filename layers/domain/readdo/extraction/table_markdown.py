"""Render data tables as Markdown, and detect tables that only lay out a page."""

import re
from collections.abc import Callable
from typing import Any

COLUMNS_MAX, ROWS_MAX = 50, 2000  # further cells are dropped
CELLS_MAX = 400  # characters in a data cell; longer cells are layout
_BLOCKS = ".//p|.//div|.//ul|.//ol|.//table|.//h1|.//h2|.//h3|.//form|.//blockquote|.//br"


def is_layout(node: Any) -> bool:
    """True for a table with nested tables, long cells, several blocks per cell, or one column."""
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
    """The visible text of a table, and its Markdown."""
    rows = [[_cell(inline(cell)) for cell in row[:COLUMNS_MAX]] for row in _rows(node)[:ROWS_MAX]]
    rows = [row for row in rows if any(row)]
    if not rows:
        return "", ""
    width = min(COLUMNS_MAX, max(len(row) for row in rows))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(" ".join(cell for cell in row if cell) for row in rows), "\n".join(lines)


def _rows(node: Any) -> list[list[Any]]:
    return [[cell for cell in row if cell.tag in ("td", "th")] for row in node.iter("tr")]


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().replace("|", "/")
