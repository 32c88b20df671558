"""The client as a program of its own, in a pipe or on a terminal."""

import os
import pty
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

LAUNCHER = Path(__file__).resolve().parents[2] / "local" / "readdo"
Done = subprocess.CompletedProcess[str]


def environment(more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("READDO_", "NO_COLOR"))}
    return {**kept, **more}


def run(*command: str | Path, **more: str) -> Done:
    given = environment(more)
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)  # noqa: S603 - our own


def started(*command: str | Path, **more: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    # Tests that were started in the background ignore Ctrl-C, and so would what they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(command, env=environment(more), stdout=pipe, stderr=pipe, text=True)  # noqa: S603 - our own
    finally:
        signal.signal(signal.SIGINT, before)


def on_a_terminal(args: Sequence[str], more: Mapping[str, str], columns: int = 80) -> tuple[int, str]:
    """In a terminal of this width, as a person has it."""
    ours, its = pty.openpty()
    given = environment({"TERM": "xterm", "COLUMNS": str(columns), **more})
    program = subprocess.Popen([LAUNCHER, *args], env=given, stdin=its, stdout=its, stderr=its, start_new_session=True)  # noqa: S603 - our own
    os.close(its)
    said = b""
    while part := _read(ours):
        said += part
    os.close(ours)
    return program.wait(), said.decode()


def _read(terminal: int) -> bytes:
    """A terminal whose last program has ended is an error to read from."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def plain(said: str) -> str:
    return re.sub(r"\x1b\[[0-?]*[@-~]", "", said).replace("\r\n", "\n")
