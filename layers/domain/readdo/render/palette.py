"""Colours and sizes of the themes and layouts. Both templates use them; a test checks the contrast."""

PALETTES: dict[str, dict[str, str]] = {
    "LIGHT": {
        "desk": "#e6e0d3",
        "paper": "#f8f5ee",
        "ink": "#1d2522",
        "quiet": "#5b635e",
        "accent": "#b3431f",
        "rule": "#ddd7c9",
        "do_fill": "#17493b",
        "do_ink": "#fbf9f3",
        "do_label": "#f2c58f",
    },
    "DARK": {
        "desk": "#090c0b",
        "paper": "#121816",
        "ink": "#f0ece2",
        "quiet": "#a5aea8",
        "accent": "#f0a070",
        "rule": "#2c3632",
        "do_fill": "#cfe5d6",
        "do_ink": "#10291f",
        "do_label": "#8c3413",
    },
}
# Pairs of text and background colour. `rule` and `desk` (around the card of the web page) carry no text.
PAIRS = [
    ("ink", "paper"),
    ("quiet", "paper"),
    ("accent", "paper"),
    ("do_ink", "do_fill"),
    ("do_label", "do_fill"),
]
PIXELS = {"CARD_4x5_V1": (1080, 1350), "CARD_1x1_V1": (1080, 1080)}
