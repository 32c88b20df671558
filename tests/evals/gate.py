"""Whether the run passes: all of P0, all of P1, and of P2 eight cases in ten."""

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


def passes(found: Sequence[Row], fail_on: Level) -> bool:
    """A level asks for those before it as well."""
    asked = LEVELS[: LEVELS.index(fail_on) + 1]
    return all(row.passed for row in found if row.level in asked)
