"""Poll the server with growing pauses, and show the progress."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from terminal.session import Session
from terminal.words import Row

if TYPE_CHECKING:
    from rich.text import Text

GROWTH = 1.5


class Pause:
    def __init__(self, sleep: Callable[[float], None], first: float = 1.0, longest: float = 10.0) -> None:
        self._sleep, self._first, self._longest = sleep, first, longest
        self._next, self.waited = first, 0.0

    def __call__(self) -> None:
        seconds, self._next = self._next, min(self._longest, self._next * GROWTH)
        self._sleep(seconds)
        self.waited += seconds

    def reset(self) -> None:
        self._next = self._first


@contextmanager
def show_progress(
    session: Session, draw: "Callable[[Row], Text]", describe: Callable[[Row], str]
) -> Iterator[Callable[[Row], None]]:
    """Show the progress of a row: on a terminal as a live line, in a pipe as a line per change on stderr.

    The live line is redrawn between polls too, so that a timer in it runs.
    """
    screen, latest, printed = session.notes, list[Row](), {""}
    if screen.live and not screen.console.is_dumb_terminal and not session.quiet and not session.json:
        from rich.live import Live  # noqa: PLC0415 - not for --help

        with Live(
            get_renderable=lambda: draw(latest[-1]) if latest else "  …",
            console=screen.console,
            transient=True,
            refresh_per_second=4,
        ) as live:

            def show(row: Row) -> None:
                latest[:] = [row]
                live.refresh()

            yield show
        return

    def show_change(row: Row) -> None:
        text = describe(row)
        if text not in printed:
            printed.add(text)
            session.note(text)

    yield show_change
