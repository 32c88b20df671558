"""A finished run: engine, versions, outcomes and verdict. The input of every report format."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evals import gate, recall
from evals.play import Outcome
from evals.rubric import Level


@dataclass(frozen=True)
class Run:
    engine: str
    profile: str
    versions: Mapping[str, str]
    fail_on: Level
    outcomes: Sequence[Outcome]

    @cached_property
    def rows(self) -> list[gate.Row]:
        return gate.rows(self.outcomes)

    @property
    def passed(self) -> bool:
        return gate.passes(self.rows, self.fail_on)

    @cached_property
    def facts_mentioned(self) -> tuple[float, float, float] | None:
        """Mean share of key facts mentioned: by this engine, by lead-three, and by chance."""
        own = recall.mean(one.facts for one in self.outcomes)
        lead = recall.mean(one.facts_of_lead for one in self.outcomes)
        if own is None or lead is None:
            return None
        chance = [recall.by_chance(one.case) for one in self.outcomes if one.facts and one.facts.of]
        return own, lead, sum(chance) / len(chance)

    @property
    def with_facts(self) -> int:
        return sum(1 for one in self.outcomes if one.facts and one.facts.of)
