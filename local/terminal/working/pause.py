"""A pause that grows while nothing changes."""

from collections.abc import Callable

FIRST, LONGEST, GROWTH = 2.0, 30.0, 1.5


class Pause:
    def __init__(self, rest: Callable[[float], None]) -> None:
        self._rest, self._next = rest, FIRST

    def __call__(self) -> None:
        seconds, self._next = self._next, min(LONGEST, self._next * GROWTH)
        self._rest(seconds)

    def begin_anew(self) -> None:
        self._next = FIRST
