"""Letters that the card's font lacks and a font embedded in typst has.

They are listed here because typst has no API for the character sets of its fonts. A test compares the list with typst.
"""

SERIF = "Libertinus Serif"
MONO = "DejaVu Sans Mono"

# Latin with marks, Greek, Cyrillic and Hebrew: complete alphabets, so that one word does not mix two fonts.
_SERIF_SPANS = [
    (0x0100, 0x02E4),
    (0x0300, 0x034E),
    (0x0384, 0x038A),
    (0x038C, 0x038C),
    (0x038E, 0x03A1),
    (0x03A3, 0x03CE),
    (0x0400, 0x0477),
    (0x048C, 0x04C4),
    (0x04D0, 0x04F9),
    (0x05B0, 0x05C3),
    (0x05D0, 0x05EA),
    (0x1E00, 0x1F15),
    (0x20AB, 0x20AC),
    (0x20B9, 0x20B9),
    (0x20BF, 0x20BF),
]
# Arabic and Persian, then arrows, mathematics and the plainer symbols.
_MONO_SPANS = [
    (0x060C, 0x060C),
    (0x061B, 0x061B),
    (0x061F, 0x061F),
    (0x0621, 0x063A),
    (0x0640, 0x0655),
    (0x0660, 0x066D),
    (0x0679, 0x067B),
    (0x067E, 0x0680),
    (0x0686, 0x0687),
    (0x0698, 0x0698),
    (0x06A9, 0x06A9),
    (0x06AF, 0x06AF),
    (0x06CC, 0x06CC),
    (0x06F0, 0x06F9),
    (0x2190, 0x2213),
    (0x2241, 0x2269),
    (0x25A0, 0x262F),
    (0x2701, 0x2704),
    (0x2706, 0x2709),
    (0x270C, 0x2727),
]


def _codes(spans: list[tuple[int, int]]) -> frozenset[int]:
    return frozenset(code for first, last in spans for code in range(first, last + 1))


SERIF_LETTERS = _codes(_SERIF_SPANS)
MONO_LETTERS = _codes(_MONO_SPANS)
EMBEDDED_LETTERS = SERIF_LETTERS | MONO_LETTERS
