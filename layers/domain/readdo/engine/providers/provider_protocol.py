"""Question, completion, and the interface of a provider."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Turns = Sequence[tuple[str, str]]  # ("assistant" or "user", text)


@dataclass(frozen=True)
class Question:
    name: str  # name of the schema: letters, digits, `_`
    system: str  # identical for all items, so that a provider can cache it
    user: str  # specific to the item
    schema: Mapping[str, Any]
    max_tokens: int


@dataclass(frozen=True)
class Completion:
    text: str
    model: str  # as reported by the server
    input_tokens: int  # 0 if not reported
    output_tokens: int


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    def ask(self, question: Question, deadline: float, *, turns: Turns = ()) -> Completion:
        """`deadline`, in `time.monotonic()`, covers all retries. `turns` has the turns after `user`.

        Every failure is a `faults.StepFailed`.
        """
        ...
