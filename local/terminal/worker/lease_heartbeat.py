"""Send heartbeats while the command runs, and report a lost lease to the worker."""

import threading
from types import TracebackType

from terminal.api import at
from terminal.failures import MISSING, REFUSED, CommandFailure
from terminal.session import Session
from terminal.worker.command_process import LOST, Events

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
