"""Cases, results, checks and findings of the rubric.

A check is a level, a name and a function that returns the reason of a failure, or "" if the check passes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["P0", "P1", "P2"]
LEVELS: tuple[Level, ...] = ("P0", "P1", "P2")
Payload = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    id: str
    source_type: str
    intent: str
    text: str
    title: str = ""
    domain: str = ""
    language: str = ""
    kind: str = ""
    expect: Mapping[str, Any] = field(default_factory=dict)
    gold: Sequence[Sequence[str]] = ()
    """Facts that a good summary mentions, each as a list of possible wordings."""
    text_of: str = ""
    """The case whose text this case has."""


@dataclass(frozen=True)
class Results:
    summary: Payload
    score: Payload
    todos: Payload
    card: Payload

    def payloads(self) -> dict[str, Payload]:
        return {"summary": self.summary, "score": self.score, "todos": self.todos, "card": self.card}


@dataclass(frozen=True)
class Check:
    level: Level
    name: str
    why_not: Callable[[Case, Results], str]


@dataclass(frozen=True)
class Finding:
    level: Level
    check: str
    why: str

    @property
    def passed(self) -> bool:
        return not self.why


def listed(lines: Sequence[str], most: int = 2) -> str:
    """Join the first failing lines for a message."""
    lines_shown = " | ".join(f"“{line}”" for line in lines[:most])
    return f"{lines_shown} and {len(lines) - most} more" if len(lines) > most else lines_shown
