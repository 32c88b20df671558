"""How many of the facts that a case names its summary tells: a figure to compare engines by, not a gate."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import lead3
from .rubric import Case
from .rubric.tokens import plain


@dataclass(frozen=True)
class Recall:
    told: int
    of: int
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.told / self.of if self.of else 0.0


def recall(case: Case, summary: Mapping[str, Any]) -> Recall:
    said = _flat(" ".join((*summary["bullets"], summary["insight"])))
    missing = tuple(ways[0] for ways in case.gold if not any(_flat(way) in said for way in ways))
    return Recall(len(case.gold) - len(missing), len(case.gold), missing)


def _flat(text: str) -> str:
    """Spaces are a matter of taste between Chinese and figures."""
    return plain(text).replace(" ", "").replace(",", "")


DRAWS = 50


def by_chance(case: Case) -> float:
    """The share that four sentences tell which nobody chose, over many draws."""
    shares = [recall(case, lead3.at_random(case.text, f"{case.id} {draw}")).share for draw in range(DRAWS)]
    return sum(shares) / len(shares)


def mean(found: Iterable[Recall | None]) -> float | None:
    """The mean over cases, so that a case with many facts weighs no more; None if no case names any."""
    shares = [one.share for one in found if one and one.of]
    return sum(shares) / len(shares) if shares else None
