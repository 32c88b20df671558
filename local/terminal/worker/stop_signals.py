"""Handle Ctrl-C and SIGTERM: the first stops the worker and returns its task, the second exits."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from terminal.failures import INTERRUPTED
from terminal.worker.command_process import STOP, Events


class WorkerStopped(BaseException):
    """Raised in the worker to exit at once."""


class Stop:
    def __init__(self, sleep: Callable[[float], None]) -> None:
        self.requested = False
        self.hears: Events | None = None  # the events of the running command
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
        """Return 0 after SIGTERM, which a supervisor sends, and 130 after Ctrl-C."""
        return INTERRUPTED if self._by == signal.SIGINT else 0

    def rest(self, seconds: float) -> None:
        """Sleep unless a stop was requested. `_resting` is set before the check to miss no signal."""
        self._resting = True
        try:
            if self.requested:
                raise WorkerStopped
            self._sleep(seconds)
        finally:
            self._resting = False

    def _on(self, number: int, _: FrameType | None) -> None:
        second, self.requested, self._by = self.requested, True, number
        if second or self._resting:
            raise WorkerStopped
        if self.hears is not None:
            self.hears.put(STOP)
