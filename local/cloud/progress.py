"""Progress output: one changing line on a terminal, one line per change in a pipe."""

import sys

from stack.startup_output import BACK, say
from terminal.session import Session


class ProgressLine:
    def __init__(self, session: Session) -> None:
        self._live = session.outside.live(sys.stdout)
        self._last = ""

    def show(self, text: str) -> None:
        if text != self._last:
            say(f"{BACK}  … {text}" if self._live else text, end="" if self._live else "\n")
        self._last = text

    def clear(self) -> None:
        if self._live and self._last:
            say(BACK, end="")
        self._last = ""

    def done(self, text: str) -> None:
        self.clear()
        say(f"  ✓ {text}" if self._live else text)
