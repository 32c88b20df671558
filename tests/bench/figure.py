"""One measured figure, its floor of the same run, and what was promised of it."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Say = Callable[[str], None]  # what is being done, for the one who waits


@dataclass(frozen=True)
class Figure:
    """The target is of the ratio if there is a floor, else of the value itself; without one it is only printed."""

    name: str
    value: float
    unit: str
    floor: float | None = None
    target: float | None = None
    equal: bool = False  # not less either
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

    def told(self) -> dict[str, Any]:
        """The same for machines."""
        given = {name: getattr(self, name) for name in ("name", "value", "floor", "ratio", "target", "met", "unit")}
        return given | ({"note": self.note} if self.note else {})


Figures = Iterator[Figure]


def percentile(found: Sequence[float], percent: int) -> float:
    return statistics.quantiles(found, n=100, method="inclusive")[percent - 1]
