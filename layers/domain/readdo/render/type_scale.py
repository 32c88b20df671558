"""Type sizes of the web page, by the same rule as the picture but with estimated text lengths.

The page uses the reader's fonts, so texts cannot be measured. An estimate that is too large does little harm: the card
on the page grows, while the picture would be cut.
"""

import math
import unicodedata
from typing import NamedTuple

from readdo.render.render_request import RenderRequest

_FLOOR = 20
_LATIN, _BOLD = 0.49, 1.04  # mean width of a letter relative to its size; factor for bold
_FULL, _HEADED, _AIRY = 0.98, 0.94, 0.78  # maximum fill of the available height


class Scale(NamedTuple):
    """Sizes in pixels of the picture. `gap` and `line` are relative to `size`."""

    size: float
    head: float
    gap: float
    line: float


def scale(order: RenderRequest) -> Scale:
    _, (width, height) = order.look("html")
    square = height < 1.2 * width
    cap, head_cap = (34, 84) if square else (38, 100)
    inner = width - 2 * order.padding
    # Unlike the picture, the page shows its source, at type size 23.
    room = height - 2 * order.padding - 53 - 32 * _lines(order.source.title, 23, inner - 130)

    def fits(size: float, head: float, filled: float) -> bool:
        return _natural(order, _sized(size, head, cap), inner) <= room * filled

    sizes = [_FLOOR + step / 2 for step in range(int((1.4 * cap - _FLOOR) * 2) + 1)]
    size = max((s for s in sizes if fits(s, _least_head(s, cap), _FULL if s <= cap else _AIRY)), default=_FLOOR)
    least = _least_head(size, cap)
    head = max((h for h in range(math.ceil(least), head_cap + 1) if fits(size, h, _HEADED)), default=least)
    return _sized(size, head, cap)


def _ease(size: float, cap: float) -> float:
    """From 0 for the fullest card to 1 for a short one. Spacing and size contrast grow with it."""
    return min(1.2, (size - _FLOOR) / (cap - _FLOOR))


def _least_head(size: float, cap: float) -> float:
    return size * (1.3 + 0.55 * _ease(size, cap))


def _sized(size: float, head: float, cap: float) -> Scale:
    ease = _ease(size, cap)
    return Scale(size, head, round(0.7 + 0.8 * ease, 3), round(1.3 + 0.18 * ease, 3))


def _natural(order: RenderRequest, to: Scale, width: float) -> float:
    """The card's height with the minimum spacing between its parts."""
    size, lead, texts = to.size, (to.line - 1) * to.size, order.texts
    line = size + lead
    head = _lines(texts["headline"][0], to.head * _BOLD, width) * to.head * 1.22 - 0.22 * to.head
    points = sum(_lines(point, size, width - 1.5 * size) * line - lead for point in texts["points"])
    insight = _lines(texts["insight"][0], size, width - 1.5 * size) * line - lead + 0.2 * size
    action = _lines(texts["action"][0], 1.08 * size, width - 2.2 * size) * 1.08 * line - lead + 3.2 * size
    gaps = (3.9 + 2 * 0.66) * to.gap * size
    return 7 + head + points + insight + action + gaps


def _lines(text: str, size: float, width: float) -> int:
    # On average, each line wastes half a word, because it breaks before the word that no longer fits.
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    lost = 0.5 if wide > len(text) / 2 else 1
    return math.ceil((wide + (len(text) - wide) * _LATIN) * size / max(size, width - lost * size))
