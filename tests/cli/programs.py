"""Run the client as a separate program, in a pipe or on a terminal."""

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
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("READDO_", "NO_COLOR"))}
    return {**inherited, **more}


def run(*command: str | Path, **more: str) -> Done:
    environ = environment(more)
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)  # noqa: S603 - our own


def start(*command: str | Path, **more: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    # A test run in the background ignores Ctrl-C, and its child processes would inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(command, env=environment(more), stdout=pipe, stderr=pipe, text=True)  # noqa: S603 - our own
    finally:
        signal.signal(signal.SIGINT, before)


def run_on_terminal(args: Sequence[str], more: Mapping[str, str], columns: int = 80) -> tuple[int, str]:
    """Run the client on a terminal of this width."""
    controller, tty = pty.openpty()
    env = environment({"TERM": "xterm", "COLUMNS": str(columns), **more})
    program = subprocess.Popen([LAUNCHER, *args], env=env, stdin=tty, stdout=tty, stderr=tty, start_new_session=True)  # noqa: S603 - our own
    os.close(tty)
    output = b""
    while part := _read(controller):
        output += part
    os.close(controller)
    return program.wait(), output.decode()


def _read(terminal: int) -> bytes:
    """Reading raises an error once the last program on the terminal has ended."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def plain(output: str) -> str:
    return re.sub(r"\x1b\[[0-?]*[@-~]", "", output).replace("\r\n", "\n")
