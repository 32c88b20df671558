"""Run the command in its own process group, keep its output, and map its end to the result of a run.

The command's children are stopped with it, and Ctrl-C reaches only the worker. The exit codes are those of sysexits.h:
0 done · 75 (EX_TEMPFAIL) network error, retry · 69 (EX_UNAVAILABLE) a dependency is missing ·
any other: the command failed
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
from typing import Any

from terminal.failures import CommandFailure
from terminal.text import clean, one_line

ENDED, LOST, STOP = "ended", "lost", "stop"
GRACE_SECONDS = 5.0  # between SIGTERM and SIGKILL
_STILL_TALKING_SECONDS = 1.0  # a process that the command left behind may keep its output open for ever
MOST, _LAST_LINES = 1_000_000, 20  # bytes of the log, and lines of the summary
KINDS = {75: "network", 69: "dependency"}
_MESSAGE, _SUMMARY = 500, 4000
_CLOSES = ".!?:;…。！？：；"
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


class Log:
    def __init__(self, most: int = MOST) -> None:
        self._half = most // 2
        self._head, self._tail = bytearray(), bytearray()
        self._left_out = 0
        self._lock = threading.Lock()  # a process that the command left behind may still write

    def add(self, part: bytes) -> None:
        with self._lock:
            room = self._half - len(self._head)
            self._head += part[:room]
            self._tail += part[room:]
            if len(self._tail) > 2 * self._half:
                self._trim()

    def _trim(self) -> None:
        over = max(0, len(self._tail) - self._half)
        self._left_out += over
        del self._tail[:over]

    def body(self) -> bytes:
        with self._lock:
            self._trim()
            gap = f"\n\n… {self._left_out:,} bytes left out …\n\n".encode() if self._left_out else b""
            return bytes(self._head) + gap + bytes(self._tail)

    def last(self, characters: int) -> str:
        """Return the last lines that fit into this many characters."""
        with self._lock:
            end = bytes((self._head + self._tail)[-4 * characters :])
        lines = [line.rstrip() for line in end.decode("utf-8", "replace").splitlines() if line.strip()]
        text = ""
        for line in reversed(lines[-_LAST_LINES:]):
            if text and len(line) + 1 + len(text) > characters:
                break
            text = f"{line}\n{text}" if text else line[-characters:]
        return text.strip()


def result_of_end(exit_code: int, log: Log) -> dict[str, Any]:
    summary = clean(log.last(_SUMMARY))
    if exit_code == 0:
        return {"exit_code": 0, "summary": summary}
    kind = KINDS.get(exit_code, "execution")
    return {"exit_code": exit_code, "error_kind": kind, "summary": summary, "error_message": _message(exit_code, log)}


def result_of_timeout(seconds: int, log: Log) -> dict[str, Any]:
    message = f"The command was stopped after its timeout of {seconds} seconds."
    return {"exit_code": 124, "error_kind": "timeout", "summary": clean(log.last(_SUMMARY)), "error_message": message}


def result_of_stop() -> dict[str, Any]:
    return {"exit_code": 130, "error_kind": "cancelled", "error_message": "The worker was stopped."}


def _message(exit_code: int, log: Log) -> str:
    """Return the last line of output, which mostly names the error.

    The message ends with a punctuation mark, because the API appends a sentence.
    """
    last_line = one_line(log.last(_MESSAGE - 1).rpartition("\n")[2])
    if not last_line:
        return f"The command {_describe_exit(exit_code)} without output."
    return last_line if last_line[-1] in _CLOSES else f"{last_line}."


def _describe_exit(exit_code: int) -> str:
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    try:
        return f"was ended by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"was ended by signal {-exit_code}"
