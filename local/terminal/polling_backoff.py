"""A polling pause with exponential growth."""

from collections.abc import Callable

GROWTH = 1.5


class Pause:
    def __init__(self, sleep: Callable[[float], None], first: float = 1.0, longest: float = 10.0) -> None:
        self._sleep, self._first, self._longest = sleep, first, longest
        self._next, self.waited = first, 0.0

    def __call__(self) -> None:
        seconds, self._next = self._next, min(self._longest, self._next * GROWTH)
        self._sleep(seconds)
        self.waited += seconds

    def reset(self) -> None:
        self._next = self._first
