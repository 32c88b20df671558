"""What a model is asked, what it answers, and what every provider can do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Turns = Sequence[tuple[str, str]]  # ("assistant" or "user", what was said)


@dataclass(frozen=True)
class Question:
    name: str  # of its schema: letters, digits, `_`
    system: str  # the same bytes for every item, so that a provider can cache it
    user: str  # the item's part
    schema: Mapping[str, Any]
    max_tokens: int


@dataclass(frozen=True)
class Completion:
    text: str
    model: str  # as the server names it
    input_tokens: int  # 0 if the server does not say
    output_tokens: int


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    def ask(self, question: Question, deadline: float, *, said: Turns = ()) -> Completion:
        """`deadline` is a time of `time.monotonic()` for the whole call with its own tries; `said` comes after `user`.

        Whatever goes wrong is a `faults.StepFailed`.
        """
        ...
