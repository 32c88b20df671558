"""Escape text from other sources for the page."""

from html import escape
from typing import Any

# These characters hide text or reverse it. The report shows them.
_HIDING = frozenset(map(chr, (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)))


def text(value: Any) -> str:
    return escape("".join(f"[U+{ord(char):04X}]" if _hides(char) else char for char in str(value)))


def _hides(char: str) -> bool:
    return char in _HIDING or (ord(char) < 0x20 and char not in "\n\t")
