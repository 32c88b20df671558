"""What every form of the report tells: who was judged, by what, and how it went."""

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
    def told(self) -> tuple[float, float, float] | None:
        """Key facts told, as the mean over the cases that name some: by this engine, by lead-three, and by chance."""
        own = recall.mean(one.told for one in self.outcomes)
        lead = recall.mean(one.told_by_lead for one in self.outcomes)
        if own is None or lead is None:
            return None
        chance = [recall.by_chance(one.case) for one in self.outcomes if one.told and one.told.of]
        return own, lead, sum(chance) / len(chance)

    @property
    def with_facts(self) -> int:
        return sum(1 for one in self.outcomes if one.told and one.told.of)
