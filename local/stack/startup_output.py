"""Console output of the start: progress steps, then a welcome text."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BACK = "\r\033[K"  # to the start of the line, and clear it: a ^C may stand there


def say(text: str, end: str = "\n") -> None:
    """Print, ignoring a closed terminal or pipe, which must not keep the stack from saving."""
    with suppress(OSError):
        print(text, end=end, flush=True)


@contextmanager
def step(label: str) -> Iterator[None]:
    """Print a step: on a terminal while it runs, in a pipe when it is done."""
    live = sys.stdout.isatty()
    started = time.monotonic()
    if live:
        say(f"  … {label}", end="")
    try:
        yield
    except BaseException:
        say(f"{BACK}  ✗ {label}" if live else f"failed: {label}")
        raise
    took = time.monotonic() - started
    note = f" ({took:.1f} s)" if took > 1 else ""
    say(f"{BACK}  ✓ {label}{note}" if live else f"{label}{note}")


def welcome(url: str, page: str, home: Path, reader: str) -> str:
    return f"""
Read→Do is running at {url}
{reader}

Your page (the link contains your token, so do not share it):
  {page}

  local/readdo capture URL --intent "why you save it" --watch   save and process a page
  local/readdo capture -   --intent "why you save it" --watch   save and process pasted text
  local/readdo --help                                           all commands
  {url}/docs   API reference

Token: {home / "token"}. Logs: {home / "functions.log"}. Data: {home}.
Stop with Ctrl-C (or SIGTERM): your data is saved first."""
