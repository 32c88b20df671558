"""The card's font: its directory and its character set."""

import importlib.util
import os
import struct
from functools import cache
from pathlib import Path

import typst

FILE = "NotoSansCJKsc-Regular.otf"
SANS = "Noto Sans CJK SC"


class FontMissingError(Exception):
    pass


def directory() -> Path:
    """The font's directory: READDO_FONTS (a layer on AWS), otherwise the package mplfonts."""
    configured = os.environ.get("READDO_FONTS", "")
    # The package is not imported, because it imports a plotting library and only one of its files is needed.
    package = importlib.util.find_spec("mplfonts")
    places = [Path(configured)] if configured else []
    places += [Path(place) for place in (package.submodule_search_locations or ())] if package else []
    for place in places:
        for path in sorted(place.rglob(FILE)):
            return path.parent
    raise FontMissingError(FILE)


@cache
def load(place: Path) -> typst.Fonts:
    # Loading fonts takes longer than drawing a card, so a process does it only once.
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[place])


@cache
def letters(place: Path) -> frozenset[int]:
    """All code points that the font can draw, read from its character map (OpenType, cmap format 12)."""
    data = (place / FILE).read_bytes()
    tables = (struct.unpack_from(">4s4xII", data, 12 + 16 * i) for i in range(struct.unpack_from(">4xH", data)[0]))
    start = next(offset for tag, offset, _ in tables if tag == b"cmap")
    for i in range(struct.unpack_from(">2xH", data, start)[0]):
        at = start + struct.unpack_from(">4xI", data, start + 4 + 8 * i)[0]
        if struct.unpack_from(">H", data, at)[0] == 12:
            groups = struct.unpack_from(">12xI", data, at)[0]
            spans = struct.iter_unpack(">III", data[at + 16 : at + 16 + 12 * groups])
            return frozenset(code for first, last, _ in spans for code in range(first, last + 1))
    raise FontMissingError(FILE)
