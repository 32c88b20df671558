"""Count the key facts of a case that its summary mentions.

The figure compares engines. It is not part of the gate.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import lead3
from .rubric import Case
from .rubric.tokens import plain


@dataclass(frozen=True)
class Recall:
    mentioned: int
    of: int
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.mentioned / self.of if self.of else 0.0


def recall(case: Case, summary: Mapping[str, Any]) -> Recall:
    summary_text = _flat(" ".join((*summary["bullets"], summary["insight"])))
    missing = tuple(ways[0] for ways in case.gold if not any(_flat(way) in summary_text for way in ways))
    return Recall(len(case.gold) - len(missing), len(case.gold), missing)


def _flat(text: str) -> str:
    """Normalize a text for comparison: Chinese writers put spaces around figures or not."""
    return plain(text).replace(" ", "").replace(",", "")


DRAWS = 50


def by_chance(case: Case) -> float:
    """Return the mean share of facts that four random sentences mention."""
    shares = [recall(case, lead3.at_random(case.text, f"{case.id} {draw}")).share for draw in range(DRAWS)]
    return sum(shares) / len(shares)


def mean(recalls: Iterable[Recall | None]) -> float | None:
    """Return the mean over cases, or None if no case names facts.

    Each case counts the same, regardless of its number of facts.
    """
    shares = [result.share for result in recalls if result and result.of]
    return sum(shares) / len(shares) if shares else None
