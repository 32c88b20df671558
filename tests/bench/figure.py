"""Measured figure with its floor from the same run and its target."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Say = Callable[[str], None]  # reports progress


@dataclass(frozen=True)
class Figure:
    """A measured figure, its floor and its target.

    The target applies to the ratio if there is a floor, otherwise to the value. A figure without a target is only
    printed.
    """

    name: str
    value: float
    unit: str
    floor: float | None = None
    target: float | None = None
    equal: bool = False  # the target must be met exactly: less is a failure too
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return self.value / self.floor if self.floor else None

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        held = self.value if self.floor is None else self.value / self.floor
        return held == self.target if self.equal else held <= self.target

    def as_json(self) -> dict[str, Any]:
        """Return the figure as JSON-ready data."""
        fields = {name: getattr(self, name) for name in ("name", "value", "floor", "ratio", "target", "met", "unit")}
        return fields | ({"note": self.note} if self.note else {})


Figures = Iterator[Figure]


def percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
