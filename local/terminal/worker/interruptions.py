"""Events that end a run from outside: a lost lease, which heartbeats detect, and signals to stop."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

from terminal.api import at
from terminal.failures import INTERRUPTED, MISSING, REFUSED, CommandFailure
from terminal.session import Session
from terminal.worker.command_process import LOST, STOP, Events

_AGAIN_SECONDS, _LONGEST_SECONDS = 5.0, 10.0


class LeaseHeartbeat:
    def __init__(self, session: Session, run_id: str, lease: int, events: Events) -> None:
        self._session, self._path, self._events = session, at("runs", run_id, "heartbeat"), events
        self._third = lease / 3
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if not kind:
            self._thread.join(_LONGEST_SECONDS)

    def _beat(self) -> None:
        """Send a heartbeat every third of the lease, and retry after network errors in the rest of it."""
        api = self._session.connect(tries=1, seconds=min(_LONGEST_SECONDS, self._third))
        pause = self._third
        while not self._session.outside.wait(self._over, pause):
            try:
                api.post(self._path, key="")
                pause = self._third
            except CommandFailure as failure:
                if failure.exit_code in (REFUSED, MISSING):
                    self._events.put(LOST)
                    return
                pause = min(self._third, _AGAIN_SECONDS)


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
