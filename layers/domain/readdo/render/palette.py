"""The colours of the two themes, apart from the template so that a test can weigh their contrast."""

PALETTES: dict[str, dict[str, str]] = {
    "LIGHT": {
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
# Each pair is ink upon ground; `rule` is an ornament and carries no text.
PAIRS = [
    ("ink", "paper"),
    ("quiet", "paper"),
    ("accent", "paper"),
    ("do_ink", "do_fill"),
    ("do_label", "do_fill"),
]
