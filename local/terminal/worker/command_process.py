"""Run the command in its own process group.

The command's children are stopped with it, and Ctrl-C reaches only the worker.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from queue import SimpleQueue
from types import TracebackType

from terminal.failures import CommandFailure
from terminal.worker.log import Log

ENDED, LOST, STOP = "ended", "lost", "stop"
GRACE_SECONDS = 5.0  # between SIGTERM and SIGKILL
_STILL_TALKING_SECONDS = 1.0  # a process that the command left behind may keep its output open for ever
Events = SimpleQueue[str]


class Program:
    def __init__(self, command: Sequence[str], environ: Mapping[str, str], stdin_bytes: bytes, events: Events) -> None:
        self.log = Log()
        self._events = events
        self._over = threading.Event()  # not Thread.join(): interrupted by a signal, it marks the thread as ended
        with tempfile.TemporaryFile() as stdin:  # a file, not a pipe: a command that does not read would block us
            stdin.write(stdin_bytes)
            stdin.seek(0)
            try:
                self._process = subprocess.Popen(  # noqa: S603 - the user's own command
                    command,
                    env=environ,
                    stdin=stdin,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise CommandFailure(f"{command[0]} cannot be run: {error.strerror}.", code="OS_ERROR") from None
        self._reader = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> "Program":
        self._reader.start()
        threading.Thread(target=self._wait, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._over.is_set():
            self._signal(signal.SIGKILL)

    @property
    def exit_code(self) -> int:
        return self._process.returncode or 0

    def stop(self) -> None:
        """Send SIGTERM, then SIGKILL, to the whole process group."""
        self._signal(signal.SIGTERM)
        self._over.wait(GRACE_SECONDS)
        self._signal(signal.SIGKILL)
        self._over.wait()

    def settle(self) -> None:
        """Wait for the last output."""
        self._reader.join(_STILL_TALKING_SECONDS)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _read(self) -> None:
        if stdout := self._process.stdout:
            with stdout:
                while part := os.read(stdout.fileno(), 65_536):
                    self.log.add(part)

    def _wait(self) -> None:
        self._process.wait()
        self._over.set()
        self._events.put(ENDED)
