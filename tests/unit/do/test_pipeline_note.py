"""A lease records its run in the list of runs before it takes the item.

The record survives one lost response.
"""

from typing import Any

import pytest

from readdo.do import pipeline_runs, task_rows
from readdo.lifecycle.write import OutcomeUnknown, Write
from support.memory import MemoryTable
from support.races import T1

RUN = task_rows.run_key("me", "01RUN")


class LossyTable(MemoryTable):
    """Table that loses the responses of some writes, whether they were made or not."""

    def __init__(self, answers_lost: int, *, writes_anyway: bool) -> None:
        super().__init__()
        self._lost, self._writes_anyway = answers_lost, writes_anyway

    def write(self, write: Write) -> dict[str, Any]:
        if not self._lost:
            return super().write(write)
        self._lost -= 1
        if self._writes_anyway:
            super().write(write)
        raise OutcomeUnknown("no answer")


@pytest.mark.parametrize("writes_anyway", [True, False])
def test_note_survives_one_lost_response(writes_anyway: bool) -> None:
    table, intact = LossyTable(1, writes_anyway=writes_anyway), MemoryTable()
    for each in (table, intact):
        pipeline_runs.note(each, "me", "01ITEM", "01RUN", T1)
    assert table.rows[RUN] == intact.rows[RUN]


def test_note_fails_without_any_response() -> None:
    with pytest.raises(OutcomeUnknown):
        pipeline_runs.note(LossyTable(2, writes_anyway=False), "me", "01ITEM", "01RUN", T1)
