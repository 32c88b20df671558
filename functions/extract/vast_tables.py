"""Tables that a reader would be filling for minutes, taken apart before it sees them.

trafilatura fills each row up to the width of its table and copies a cell into all that it spans, so a page of 12 kB can
ask for millions of cells. No real page comes near the limit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from lxml import html as lxml_html

AREA_MAX = 100_000  # cells, of all tables of a page
SPAN_MAX = 100  # trafilatura believes no rowspan, colspan or width beyond this
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


def flatten_vast_tables(html: str, tree: Any, parse: Callable[[str], Any]) -> str:
    """The same page, with plain blocks instead of the tables that come after AREA_MAX. `tree` is left as it is."""
    if _past_limit(tree):
        flat = parse(html)
        for table in _past_limit(flat):
            for node in (table, *table.iter("caption", "tr", *_ROWS, *_CELLS)):
                node.tag = "div"
        return str(lxml_html.tostring(flat, encoding="unicode"))
    return html


def _past_limit(tree: Any) -> list[Any]:
    extents: dict[Any, _Extent] = {}
    for node in tree.iter("tr", *_CELLS):
        table = next((above for above in islice(node.iterancestors(), 3) if above.tag == "table"), None)
        if table is None:
            continue
        extent = extents.setdefault(table, _Extent())
        if node.tag == "tr":
            extent.rows += 1
            extent.width = max(extent.width, sum(_span(cell, "colspan") for cell in node if cell.tag in _CELLS))
        else:  # also one that stands in no row
            extent.spanned += _span(node, "colspan") * _span(node, "rowspan")
    found, area = [], 0
    for table, extent in extents.items():
        area += extent.area
        if area > AREA_MAX:
            found.append(table)
    return found


def _span(cell: Any, name: str) -> int:
    value = cell.get(name, "1")
    return min(int(value), SPAN_MAX) if value.isdecimal() else 1
