"""Scheduler of the simulation: one greenlet acts at a time, and only a call to the outside switches."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from greenlet import greenlet

START = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()
HASTE = 0.04  # the most seconds between two acts
SKEW = 5.0  # seconds by which a clock may be wrong


class Crash(BaseException):
    """Crash of the process: nobody gets an answer, and no `except Exception` catches it."""


class Violation(BaseException):
    """Broken invariant, which ends the history."""


@dataclass(eq=False)
class Actor:
    """Client, invoked function or execution.

    `fence` is the lease that a worker must hold to write.
    """

    kind: str
    name: str
    work: Callable[[], Any]
    wakes_at: float
    skew: float = 0.0
    fence: dict[str, Any] = field(default_factory=dict)
    asks: dict[str, Any] = field(default_factory=dict)  # parameters of its request
    awaits: "Actor | None" = None
    unsure: bool = False  # one of its writes succeeded without an answer
    done: bool = False
    value: Any = None
    error: BaseException | None = None
    task: Any = None

    def is_ready(self, now: float) -> bool:
        return self.wakes_at <= now or (self.awaits is not None and self.awaits.done)


class Stage:
    def __init__(self, seed: int, *, verbose: bool = False) -> None:
        self.rng = random.Random(seed)  # noqa: S311  # histories must be repeatable, not unpredictable
        self.time = START
        self.actors: list[Actor] = []
        self.actor: Actor | None = None
        self.seen: Counter[str] = Counter()
        self.lines: list[str] | None = [] if verbose else None
        self.skewed = False
        self._hub = greenlet.getcurrent()

    def stamp(self, skew: float = 0.0) -> str:
        moment = datetime.fromtimestamp(self.time + skew, UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def now(self) -> str:
        """Return the time by the current actor's clock."""
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
        """Let the other actors act."""
        self._hub.switch()

    def sleep(self, seconds: float) -> None:
        assert self.actor is not None
        self.actor.wakes_at = self.time + seconds
        self.pause()

    def wait_for(self, other: Actor, seconds: float) -> bool:
        """Return whether the actor ended in time; it continues in any case."""
        assert self.actor is not None
        self.actor.awaits, self.actor.wakes_at = other, self.time + seconds
        self.pause()
        self.actor.awaits = None
        return other.done

    def act(self, until: float) -> bool:
        """Run one act of a random actor. Return False if no actor is ready before that time."""
        ready = [actor for actor in self.actors if actor.is_ready(self.time)]
        if not ready:
            soonest = min((actor.wakes_at for actor in self.actors), default=until)
            self.time = min(max(self.time, soonest), until)
            return soonest < until
        self.time += self.rng.random() * HASTE
        self.actor = actor = self.rng.choice(ready)
        try:
            actor.task.switch()
        finally:
            self.actor = None
            if actor.done:
                self.actors.remove(actor)
        return True

    def leave(self) -> None:
        """Stop all actors, so that nothing outlives its history."""
        for actor in self.actors:
            actor.task.throw()
        self.actors.clear()


def _act(actor: Actor) -> None:
    try:
        actor.value = actor.work()
    except (Crash, Exception) as error:
        actor.error = error
    actor.done = True
