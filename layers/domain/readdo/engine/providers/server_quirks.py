"""What a model's server was found to know, so that it is found out once a process and not once a call.

A server that refuses how it was asked (not what) is asked again in the next simpler manner. What worked is remembered,
by provider, address and model.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from readdo.engine.providers.faults import StepFailed

T = TypeVar("T")
CAPS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True)
class ServerQuirks:
    forms: tuple[str, ...]  # how the schema is told, best first; the first is used
    caps: tuple[str, ...] = ()  # what the limit on the output is called; the first is used

    @property
    def form(self) -> str:
        return self.forms[0]

    @property
    def cap(self) -> str:
        return self.caps[0]

    def simpler(self, refused: StepFailed, form_words: tuple[str, ...]) -> "ServerQuirks | None":
        """The next manner after a refusal that speaks of this one; None if it speaks of something else."""
        if refused.kind != "refused":
            return None
        if len(self.caps) > 1 and any(cap in refused.said for cap in CAPS):
            return replace(self, caps=self.caps[1:])
        if len(self.forms) > 1 and any(word in refused.said for word in form_words):
            return replace(self, forms=self.forms[1:])
        return None


_found: dict[tuple[str, str, str], ServerQuirks] = {}


def politely(
    place: tuple[str, str, str], first: ServerQuirks, form_words: tuple[str, ...], ask: Callable[[ServerQuirks], T]
) -> T:
    manner = _found.get(place, first)
    while True:
        try:
            told = ask(manner)
        except StepFailed as failure:
            simpler = manner.simpler(failure, form_words)
            if simpler is None:
                if failure.answers:  # it answered, if not well: so it took the manner
                    _found[place] = manner
                raise
            manner = simpler
        else:
            _found[place] = manner
            return told


def forget() -> None:
    """As in a new process."""
    _found.clear()
