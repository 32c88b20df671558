"""Rate limit of requests per second."""

import time
from collections.abc import Callable


class RateLimit:
    def __init__(
        self,
        each_second: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._between, self._clock, self._pause = 1 / each_second, clock, pause
        self._next = clock()

    def wait(self) -> None:
        """Sleep until the next request may be sent."""
        early = self._next - self._clock()
        if early > 0:
            self._pause(early)
        self._next = max(self._next, self._clock()) + self._between

    def rest(self, seconds: float) -> None:
        """Sleep for the time that the server requested."""
        self._pause(seconds)
