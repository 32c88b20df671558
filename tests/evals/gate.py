"""The gate: all cases must pass P0 and P1, and 80 % must pass P2."""

from collections.abc import Sequence
from dataclasses import dataclass

from .play import Outcome
from .rubric import LEVELS, Level

_MAY_FAIL = {"P0": 0.0, "P1": 0.0, "P2": 0.2}


@dataclass(frozen=True)
class Row:
    level: Level
    cases: int
    failed: int

    @property
    def passed(self) -> bool:
        return self.failed <= _MAY_FAIL[self.level] * self.cases

    @property
    def allowed(self) -> int:
        return int(_MAY_FAIL[self.level] * self.cases)


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    return [Row(level, len(outcomes), sum(not one.passed(level) for one in outcomes)) for level in LEVELS]


def passes(rows: Sequence[Row], fail_on: Level) -> bool:
    """Return true if the level `fail_on` and all levels before it pass."""
    levels = LEVELS[: LEVELS.index(fail_on) + 1]
    return all(row.passed for row in rows if row.level in levels)
