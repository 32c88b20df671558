"""What a person sees of the start: steps as they happen, then one block with all that is needed to begin."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BACK = "\r\033[K"  # to the start of the line, and clear it: a ^C may stand there


def say(text: str, end: str = "\n") -> None:
    """A closed terminal or pipe must not keep the stack from saving, so nobody hearing it is no error."""
    with suppress(OSError):
        print(text, end=end, flush=True)


@contextmanager
def step(label: str) -> Iterator[None]:
    """On a terminal the line is there while the step runs; in a pipe it comes when the step is done."""
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

Your page, with your token in it, so keep the link to yourself:
  {page}

  local/readdo capture URL --intent "why you save it" --watch   reads a page for you
  local/readdo capture -   --intent "why you save it" --watch   reads what you paste
  local/readdo --help                                           what else there is
  {url}/docs   every call, as a page

Your token is in {home / "token"}. Logs: {home / "functions.log"}. Everything is kept in {home}.
Stop with Ctrl-C (or SIGTERM): it saves first."""
