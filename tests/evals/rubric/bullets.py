"""P2: three bullets are three things."""

from itertools import combinations

from .judging import Case, Check, Made, listed
from .tokens import overlap, plain
from .words_of import words_of

_REPEATS = 0.6


def repeat(_case: Case, made: Made) -> str:
    for one, other in combinations(made.summary["bullets"], 2):
        share = 1.0 if plain(one) == plain(other) else overlap(one, other)
        if share >= _REPEATS:
            return f"{share:.0%} of the shorter is in the other: “{one}” | “{other}”"
    return ""


def courtesy(_case: Case, made: Made) -> str:
    """A greeting takes the place of one of four lines that the reader gets."""
    lines = [*made.summary["bullets"], made.summary["insight"]]
    empty = [line for line in lines if any(word in plain(line) for word in words_of("courtesy"))]
    return f"said to an audience and not about the matter: {listed(empty)}" if empty else ""


BULLETS = (
    Check("P2", "bullets do not repeat each other", repeat),
    Check("P2", "no greeting among the bullets and the insight", courtesy),
)
