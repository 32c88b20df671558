"""What is judged, and what a check is: a level, a name, and a function that says why not ("" if all is well)."""

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
    """Facts that a good summary tells; of each, the ways in which it may be put."""


@dataclass(frozen=True)
class Made:
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
    why_not: Callable[[Case, Made], str]


@dataclass(frozen=True)
class Finding:
    level: Level
    check: str
    why: str

    @property
    def passed(self) -> bool:
        return not self.why


def listed(lines: Sequence[str], most: int = 2) -> str:
    """The culprits, so that a person sees at once what is meant."""
    shown = " | ".join(f"“{line}”" for line in lines[:most])
    return f"{shown} and {len(lines) - most} more" if len(lines) > most else shown
