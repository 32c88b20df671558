"""The line that a lease leaves in the list of runs: there before the lease is, whatever becomes of the answer."""

from typing import Any

import pytest

from readdo.do import pipeline_runs
from readdo.lifecycle.write import OutcomeUnknown, Write
from readdo.store import keys
from support.memory import MemoryTable
from support.races import T1

RUN = keys.run("me", "01RUN")


class Deaf(MemoryTable):
    """Hears no answer for so many writes, which were made or were not."""

    def __init__(self, answers_lost: int, *, made: bool) -> None:
        super().__init__()
        self._lost, self._made_all_the_same = answers_lost, made

    def write(self, write: Write) -> dict[str, Any]:
        if not self._lost:
            return super().write(write)
        self._lost -= 1
        if self._made_all_the_same:
            super().write(write)
        raise OutcomeUnknown("no answer")


@pytest.mark.parametrize("made", [True, False])
def test_one_lost_answer_costs_nothing(made: bool) -> None:
    table, sound = Deaf(1, made=made), MemoryTable()
    for each in (table, sound):
        pipeline_runs.note(each, "me", "01ITEM", "01RUN", T1)
    assert table.rows[RUN] == sound.rows[RUN]


def test_where_none_comes_at_all_the_lease_is_not_taken() -> None:
    with pytest.raises(OutcomeUnknown):
        pipeline_runs.note(Deaf(2, made=False), "me", "01ITEM", "01RUN", T1)
