"""Faults of a call to the outside: lost, refused, resent, late, or a crash of the caller."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from random import Random
from typing import Any, TypeVar

from botocore.exceptions import ClientError, ReadTimeoutError

from simulation.stage import Crash, Stage

Answer = TypeVar("Answer")
LEASE = 900


@dataclass(frozen=True)
class Faults:
    """Probability of each fault at one call.

    `twice`, `vanish` and `late` apply to an invocation, not to a call.
    """

    crash_before: float = 0.0
    crash_after: float = 0.0
    lost_made: float = 0.0  # the write succeeds, its answer is lost
    lost_unmade: float = 0.0
    resent: float = 0.0  # the write succeeds, its answer is lost, and the SDK sends it again
    throttled: float = 0.0
    slow: float = 0.0  # some seconds, or longer than the lease
    conflict: float = 0.0  # a transaction conflicts with others until it gives up
    stale: float = 0.0  # an index or an eventual read returns the old state
    twice: float = 0.0
    vanish: float = 0.0  # an execution ends without an error
    vanish_export: float = 0.0
    vanish_slices: float = 0.0
    late: float = 0.0
    model: float = 0.0  # the model, the site or the renderer fails itself
    site: float = 0.0
    renderer: float = 0.0

    @classmethod
    def random(cls, rng: Random) -> "Faults":
        """Return random probabilities: some kinds often, some rarely.

        A history with all faults at once shows little.
        """
        return cls(**{f.name: rng.choice((0.0, 0.0, 0.004, 0.02, 0.06)) * _FACTORS.get(f.name, 1) for f in fields(cls)})


_FACTORS = {
    "stale": 6,
    "twice": 3,
    "late": 3,
    "vanish": 0.7,
    "vanish_export": 0.7,
    "vanish_slices": 12,
    "model": 4,
    "site": 4,
    "renderer": 4,
    "crash_before": 0.5,
    "crash_after": 0.5,
}
NONE = Faults()
_OF_A_READ = ("crash_before", "lost_unmade", "throttled", "slow")
_OF_A_WRITE = (*_OF_A_READ, "crash_after", "lost_made")
_BEFORE = {"crash_before", "lost_unmade", "throttled"}


class Network:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.faults = NONE

    def happens(self, fault: str) -> bool:
        probable = getattr(self.faults, fault)
        return bool(probable) and self.stage.rng.random() < probable

    def read(self, words: str, do: Callable[[], Answer]) -> Answer:
        return self._call(words, do, _OF_A_READ, _no_answer)

    def write(self, words: str, do: Callable[[], Answer], unknown: Callable[[str], Exception]) -> Answer:
        return self._call(words, do, _OF_A_WRITE, unknown)

    def _call(
        self, words: str, do: Callable[[], Answer], kinds: tuple[str, ...], unknown: Callable[[str], Exception]
    ) -> Answer:
        stage = self.stage
        stage.pause()
        fault = next((kind for kind in kinds if self.happens(kind)), "")
        if not fault:
            answer = do()
            stage.say(words)
            return answer
        stage.seen[f"fault: {fault}"] += 1
        if fault == "slow":
            self._wait(words)
            return do()
        stage.say(f"{words} ⚡ {fault}")
        if fault not in _BEFORE:
            do()
            assert stage.actor is not None
            stage.actor.unsure = True
        if fault.startswith("crash"):
            raise Crash
        raise throttled(words) if fault == "throttled" else unknown(words)

    def _wait(self, words: str) -> None:
        seconds = self.stage.rng.choice((2.0, 40.0, 70.0, LEASE + 30.0, 2 * LEASE + 90.0))
        if seconds > LEASE:
            self.stage.seen["fault: slept past the lease"] += 1
        self.stage.say(f"{words} ⚡ only after {seconds:.0f} s")
        self.stage.sleep(seconds)


def _no_answer(words: str) -> Exception:
    return ReadTimeoutError(endpoint_url=words)


def throttled(words: str) -> Exception:
    return refused("ThrottlingException", words)


def refused(code: str, words: str) -> Exception:
    answer: Any = {"Error": {"Code": code, "Message": words}}
    return ClientError(answer, words)
