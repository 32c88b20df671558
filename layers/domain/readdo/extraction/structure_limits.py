"""Simplify pages whose structure would keep the extractors busy for minutes.

trafilatura fills each row up to the width of its table and copies a cell into all cells that it spans, so a page of
12 kB can need millions of cells. For each element it visits all ancestors. No real page comes near the limits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml import etree
from lxml import html as lxml_html

AREA_MAX = 100_000  # cells in all tables of a page
DEPTH_MAX = 40  # levels of an element in a page over DEPTHS_MAX
DEPTHS_MAX = 1_000_000  # sum of the levels of all elements
SPAN_MAX = 100  # trafilatura ignores a larger rowspan, colspan or width
_DIGITS_MAX = 100  # int() raises for more than 4,300 digits
_ROWS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")


@dataclass
class _Extent:
    rows: int = 0
    width: int = 0
    spanned: int = 0

    @property
    def area(self) -> int:
        return self.rows * min(self.width, SPAN_MAX) + self.spanned


def simplify(html: str, tree: Any, parse: Callable[[str], Any]) -> tuple[str, Any]:
    """The page as text and tree, with large tables as plain blocks and without deep nesting."""
    deep = _sum_of_depths(tree) > DEPTHS_MAX
    if not deep and not _oversized_tables(tree):
        return html, tree
    flat = parse(html)
    for table in _oversized_tables(flat):
        for node in (table, *table.iter("caption", "tr", *_ROWS, *_CELLS)):
            node.tag = "div"
    if deep:
        _unnest(flat)
    text = str(lxml_html.tostring(flat, encoding="unicode"))
    return text, parse(text)


def _sum_of_depths(tree: Any) -> int:
    total, depth = 0, 0
    for event, _ in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        total += depth if event == "start" else 0
    return total


def _unnest(tree: Any) -> None:
    """Unwrap deep elements from the outside in, so that each child moves only once."""
    too_deep, depth = [], 0
    for event, node in etree.iterwalk(tree, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if event == "start" and depth > DEPTH_MAX and len(node):
            too_deep.append(node)
    for node in too_deep:
        node.drop_tag()


def _oversized_tables(tree: Any) -> list[Any]:
    extents: dict[Any, _Extent] = {}
    for node in tree.iter("tr", *_CELLS):
        table = next((above for above in islice(node.iterancestors(), 3) if above.tag == "table"), None)
        if table is None:
            continue
        extent = extents.setdefault(table, _Extent())
        if node.tag == "tr":
            extent.rows += 1
            extent.width = max(extent.width, sum(_span(cell, "colspan") for cell in node if cell.tag in _CELLS))
        else:  # also a cell outside any row
            extent.spanned += _span(node, "colspan") * _span(node, "rowspan")
    tables, area = [], 0
    for table, extent in extents.items():
        area += extent.area
        if area > AREA_MAX:
            tables.append(table)
    return tables


def _span(cell: Any, name: str) -> int:
    """A span with too many digits counts as larger than any table may be."""
    value = cell.get(name, "1")
    if not value.isdecimal():
        return 1
    return min(int(value), SPAN_MAX) if len(value) <= _DIGITS_MAX else AREA_MAX + 1
