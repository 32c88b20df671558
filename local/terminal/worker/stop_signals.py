"""Ctrl-C and SIGTERM. The first asks for an orderly end: what is under way is handed back. The second ends at once."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from terminal.failures import INTERRUPTED
from terminal.worker.command_process import STOP, Events


class WorkerStopped(BaseException):
    """Raised wherever the worker is, when there is nothing that would have to be waited for."""


class Stop:
    def __init__(self, sleep: Callable[[float], None]) -> None:
        self.asked = False
        self.hears: Events | None = None  # whoever minds a command
        self._sleep, self._resting, self._by = sleep, False, 0

    @contextmanager
    def heeded(self) -> Iterator[None]:
        before = {number: signal.signal(number, self._on) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @property
    def exit_code(self) -> int:
        """A supervisor that asks for an end gets one; a person has interrupted."""
        return INTERRUPTED if self._by == signal.SIGINT else 0

    def rest(self, seconds: float) -> None:
        """Resting first, and looked at then: a signal between the two is not slept over."""
        self._resting = True
        try:
            if self.asked:
                raise WorkerStopped
            self._sleep(seconds)
        finally:
            self._resting = False

    def _on(self, number: int, _: FrameType | None) -> None:
        again, self.asked, self._by = self.asked, True, number
        if again or self._resting:
            raise WorkerStopped
        if self.hears is not None:
            self.hears.put(STOP)
