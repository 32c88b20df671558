"""P2: the three bullets are different from each other."""

from itertools import combinations

from .judging import Case, Check, Results, listed
from .tokens import overlap, plain
from .words_of import words_of

_REPEATS = 0.6


def repeat(_case: Case, results: Results) -> str:
    for one, other in combinations(results.summary["bullets"], 2):
        share = 1.0 if plain(one) == plain(other) else overlap(one, other)
        if share >= _REPEATS:
            return f"{share:.0%} of the shorter bullet is in the other: “{one}” | “{other}”"
    return ""


def courtesy(_case: Case, results: Results) -> str:
    """A greeting would waste one of the four lines."""
    lines = [*results.summary["bullets"], results.summary["insight"]]
    empty = [line for line in lines if any(word in plain(line) for word in words_of("courtesy"))]
    return f"addresses an audience instead of the topic: {listed(empty)}" if empty else ""


BULLETS = (
    Check("P2", "bullets do not repeat each other", repeat),
    Check("P2", "no greeting among the bullets and the insight", courtesy),
)
