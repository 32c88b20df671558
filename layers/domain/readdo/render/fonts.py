"""Where the card's font lies, and which letters it has."""

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
    """On AWS the font lies in a layer, named by READDO_FONTS; elsewhere in the package that brings it."""
    given = os.environ.get("READDO_FONTS", "")
    # Not imported: the package would pull in a plotting library for the sake of one file.
    package = importlib.util.find_spec("mplfonts")
    places = [Path(given)] if given else []
    places += [Path(place) for place in (package.submodule_search_locations or ())] if package else []
    for place in places:
        for found in sorted(place.rglob(FILE)):
            return found.parent
    raise FontMissingError(FILE)


@cache
def load(place: Path) -> typst.Fonts:
    # Finding fonts costs more than drawing a card, so a warm process does it once.
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[place])


@cache
def letters(place: Path) -> frozenset[int]:
    """Every code point that the font can draw, read from its character map (OpenType, cmap format 12)."""
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
