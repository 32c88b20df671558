"""Show the progress of a run: on a terminal as a live line, in a pipe as one line per step on stderr."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from rich.live import Live
from rich.text import Text

from terminal import time_format, words
from terminal.screen import Screen
from terminal.words import STEPS, Item

Show = Callable[[Item], None]
_BAR = 12


@contextmanager
def show_progress(screen: Screen, now: Callable[[], datetime], quiet: bool) -> Iterator[Show]:
    if quiet:
        yield lambda _: None
    elif screen.live and not screen.console.is_dumb_terminal:
        with _live_line(screen, now) as show:
            yield show
    else:
        yield _Lines(screen)


@contextmanager
def _live_line(screen: Screen, now: Callable[[], datetime]) -> Iterator[Show]:
    """Show a live line. It is redrawn between polls too, so that the timer runs."""
    latest: list[Item] = []
    started = now()

    def draw() -> Text:
        return bar(latest[-1], now(), started) if latest else Text("  …")

    with Live(get_renderable=draw, console=screen.console, transient=True, refresh_per_second=4) as live:

        def show(item: Item) -> None:
            latest[:] = [item]
            live.refresh()

        yield show


class _Lines:
    def __init__(self, screen: Screen) -> None:
        self._screen, self._printed = screen, ""

    def __call__(self, item: Item) -> None:
        done, step = _place(item)
        text = f"{step} ({done} of {len(STEPS)} done)" if step in STEPS else step
        if text != self._printed:
            self._printed = text
            self._screen.line(text)


def bar(item: Item, now: datetime, fallback_start: datetime) -> Text:
    done, at = _place(item)
    started = time_format.read((item.get("progress") or {}).get("started_at")) or fallback_start
    line = Text("  ")
    line.append("━" * (done * _BAR // len(STEPS)), "green")
    line.append("━" * (_BAR - done * _BAR // len(STEPS)), "dim")
    line.append(f" {done}/{len(STEPS)}  ")
    if at not in STEPS:
        line.append(at, "magenta")
    for place, step in enumerate(STEPS if at in STEPS else ()):
        style = "green" if place < done else "bold magenta" if step == at else "dim"
        line.append(step, style).append(" ")
    return line.append(f" {time_format.ran((now - started).total_seconds())}", "dim")


def _place(item: Item) -> tuple[int, str]:
    """Return the number of finished steps and the current step; outside a run, the status."""
    if item["status"] != "PROCESSING":
        return (len(STEPS) if item["status"] in ("READY", "SHIPPED") else 0), str(item["status"]).lower()
    progress = item.get("progress") or {}
    done = max(0, min(len(STEPS), int(progress.get("done", 0))))
    step = str(progress.get("step") or STEPS[min(done, len(STEPS) - 1)])
    return done, step if step in STEPS else words.STEPS[min(done, len(STEPS) - 1)]
