"""How far a run has come: on a terminal one line that lives, in a pipe a line for each step on stderr."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from rich.live import Live
from rich.text import Text

from terminal import moments, words
from terminal.screen import Screen
from terminal.words import STEPS, Item

Show = Callable[[Item], None]
_BAR = 12


@contextmanager
def shown(screen: Screen, now: Callable[[], datetime], quiet: bool) -> Iterator[Show]:
    if quiet:
        yield lambda _: None
    elif screen.live and not screen.console.is_dumb_terminal:
        with _living(screen, now) as show:
            yield show
    else:
        yield _Lines(screen)


@contextmanager
def _living(screen: Screen, now: Callable[[], datetime]) -> Iterator[Show]:
    """It is drawn anew between two looks at the server too, so that the stopwatch runs."""
    seen: list[Item] = []
    begun = now()

    def draw() -> Text:
        return bar(seen[-1], now(), begun) if seen else Text("  …")

    with Live(get_renderable=draw, console=screen.console, transient=True, refresh_per_second=4) as live:

        def show(item: Item) -> None:
            seen[:] = [item]
            live.refresh()

        yield show


class _Lines:
    def __init__(self, screen: Screen) -> None:
        self._screen, self._said = screen, ""

    def __call__(self, item: Item) -> None:
        done, step = _place(item)
        said = f"{step} ({done} of {len(STEPS)} done)" if step in STEPS else step
        if said != self._said:
            self._said = said
            self._screen.line(said)


def bar(item: Item, now: datetime, begun: datetime) -> Text:
    done, at = _place(item)
    started = moments.read((item.get("progress") or {}).get("started_at")) or begun
    line = Text("  ")
    line.append("━" * (done * _BAR // len(STEPS)), "green")
    line.append("━" * (_BAR - done * _BAR // len(STEPS)), "dim")
    line.append(f" {done}/{len(STEPS)}  ")
    if at not in STEPS:
        line.append(at, "magenta")
    for place, step in enumerate(STEPS if at in STEPS else ()):
        style = "green" if place < done else "bold magenta" if step == at else "dim"
        line.append(step, style).append(" ")
    return line.append(f" {moments.ran((now - started).total_seconds())}", "dim")


def _place(item: Item) -> tuple[int, str]:
    """How many steps are done, and where it is; before and after a run, the state."""
    if item["status"] != "PROCESSING":
        return (len(STEPS) if item["status"] in ("READY", "SHIPPED") else 0), str(item["status"]).lower()
    progress = item.get("progress") or {}
    done = max(0, min(len(STEPS), int(progress.get("done", 0))))
    step = str(progress.get("step") or STEPS[min(done, len(STEPS) - 1)])
    return done, step if step in STEPS else words.STEPS[min(done, len(STEPS) - 1)]
