"""Who acts next, and what time it is. One greenlet acts at a time, and only a call to the outside hands over."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from greenlet import greenlet

START = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()
HASTE = 0.04  # seconds that pass, at most, between two acts
SKEW = 5.0  # seconds by which a clock may be wrong


class Crash(BaseException):
    """The process is gone; nothing of it is told to anybody. No `except Exception` may hold it up."""


class Violation(BaseException):
    """An invariant does not hold. It ends the history."""


@dataclass(eq=False)
class Actor:
    """A client, a room that was invoked, an execution. `fence`: what its writes must hold, if it is a run's worker."""

    kind: str
    name: str
    work: Callable[[], Any]
    wakes_at: float
    skew: float = 0.0
    fence: dict[str, Any] = field(default_factory=dict)
    asks: dict[str, Any] = field(default_factory=dict)  # of the request that it carries out
    awaits: "Actor | None" = None
    unsure: bool = False  # a write of it was made, and it was not told
    done: bool = False
    value: Any = None
    error: BaseException | None = None
    task: Any = None

    def is_ready(self, now: float) -> bool:
        return self.wakes_at <= now or (self.awaits is not None and self.awaits.done)


class Stage:
    def __init__(self, seed: int, *, told: bool = False) -> None:
        self.rng = random.Random(seed)  # noqa: S311  # histories are to be replayed, not to be unforeseeable
        self.time = START
        self.actors: list[Actor] = []
        self.actor: Actor | None = None
        self.seen: Counter[str] = Counter()
        self.lines: list[str] | None = [] if told else None
        self.skewed = False
        self._hub = greenlet.getcurrent()

    def stamp(self, skew: float = 0.0) -> str:
        moment = datetime.fromtimestamp(self.time + skew, UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def now(self) -> str:
        """As the one who asks has it on the wall."""
        return self.stamp(self.actor.skew if self.actor else 0.0)

    def say(self, words: str) -> None:
        if self.lines is not None:
            who = self.actor.name if self.actor else ""
            self.lines.append(f"{self.stamp()[11:-1]}  {who:<26} {words}")

    def spawn(self, kind: str, name: str, work: Callable[[], Any], *, after: float = 0.0, **more: Any) -> Actor:
        skew = self.rng.uniform(-SKEW, SKEW) if self.skewed and self.rng.random() < 0.5 else 0.0
        actor = Actor(kind, name, work, self.time + after, skew, **more)
        actor.task = greenlet(lambda: _act(actor), parent=self._hub)
        self.actors.append(actor)
        if skew:
            self.seen["a clock is wrong"] += 1
        return actor

    def pause(self) -> None:
        """Others may act now."""
        self._hub.switch()

    def sleep(self, seconds: float) -> None:
        assert self.actor is not None
        self.actor.wakes_at = self.time + seconds
        self.pause()

    def wait_for(self, other: Actor, seconds: float) -> bool:
        """Whether it ended in time; it goes on in any case."""
        assert self.actor is not None
        self.actor.awaits, self.actor.wakes_at = other, self.time + seconds
        self.pause()
        self.actor.awaits = None
        return other.done

    def act(self, until: float) -> bool:
        """One act of whoever is chosen. False if nobody has anything to do before that time."""
        ready = [actor for actor in self.actors if actor.is_ready(self.time)]
        if not ready:
            soonest = min((actor.wakes_at for actor in self.actors), default=until)
            self.time = min(max(self.time, soonest), until)
            return soonest < until
        self.time += self.rng.random() * HASTE
        self.actor = chosen = self.rng.choice(ready)
        try:
            chosen.task.switch()
        finally:
            self.actor = None
            if chosen.done:
                self.actors.remove(chosen)
        return True

    def leave(self) -> None:
        """Whoever still acts is let go, so that nothing outlives its history."""
        for actor in self.actors:
            actor.task.throw()
        self.actors.clear()


def _act(actor: Actor) -> None:
    try:
        actor.value = actor.work()
    except (Crash, Exception) as error:
        actor.error = error
    actor.done = True
