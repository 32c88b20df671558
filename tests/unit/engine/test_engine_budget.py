"""Tokens are counted before they are used, by a condition; past a day's limit one waits, and no try is burnt."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from readdo import clock
from readdo.engine.budget import reserve, settle, used_today
from readdo.engine.metered_call import MeteredCalls
from readdo.engine.providers.conversation import ModelAnswer
from readdo.engine.providers.provider_protocol import Completion
from readdo.errors import StepFailed
from readdo.lifecycle.write import OutcomeUnknown, Table, Write
from readdo.store import keys
from support.memory import MemoryTable
from support.world import world

NOON = "2026-03-01T12:00:00.000Z"


@pytest.fixture(scope="module")
def deployed() -> Iterator[Table]:
    with world() as made:
        yield made.table


@pytest.fixture
def table(deployed: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    return deployed


@pytest.fixture
def owner(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)[:60]


def refused(table: Table, owner: str, tokens: int, limit: int) -> StepFailed:
    with pytest.raises(StepFailed) as told:
        reserve(table, owner, tokens, limit)
    assert told.value.code == "AI_BUDGET_EXCEEDED"
    return told.value


def test_up_to_the_limit_and_not_a_token_more(table: Table, owner: str) -> None:
    reserve(table, owner, 600, 1000)
    reserve(table, owner, 400, 1000)
    assert used_today(table, owner) == 1000
    refused(table, owner, 1, 1000)
    assert used_today(table, owner) == 1000


def test_past_it_one_is_told_what_was_used_and_waits_for_the_next_day(table: Table, owner: str) -> None:
    reserve(table, owner, 900, 1000)
    told = refused(table, owner, 200, 1000)
    assert "900 of 1,000" in told.message
    assert told.waits_until == "2026-03-02T00:01:00.000Z"


def test_what_was_not_used_is_given_back(table: Table, owner: str) -> None:
    reserved = reserve(table, owner, 800, 1000)
    settle(table, reserved, 120)
    assert used_today(table, owner) == 120
    reserve(table, owner, 880, 1000)


def test_each_day_and_each_owner_has_its_own(table: Table, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reserved = reserve(table, owner, 1000, 1000)
    reserve(table, f"{owner}-2", 1000, 1000)
    monkeypatch.setattr(clock, "now", lambda: clock.after(NOON, 86_400))
    assert used_today(table, owner) == 0
    reserve(table, owner, 1000, 1000)
    settle(table, reserved, 10)  # a call that ended past midnight is of the day it was counted for
    assert used_today(table, owner) == 1000


def test_a_text_that_no_day_could_pay_for_is_told_so_and_does_not_wait(table: Table, owner: str) -> None:
    told = refused(table, owner, 5000, 1000)
    assert "5,000" in told.message
    assert not told.waits_until
    assert not told.retryable
    assert used_today(table, owner) == 0


def test_a_budget_of_nothing_asks_no_model(table: Table, owner: str) -> None:
    told = refused(table, owner, 1, 0)
    assert "(DailyTokens) is 0" in told.message
    assert not told.waits_until


def test_of_many_at_once_no_more_than_fit_are_let_in(table: Table, owner: str) -> None:
    outcomes: list[bool] = []

    def one() -> None:
        try:
            reserve(table, owner, 100, 1000)
            outcomes.append(True)
        except StepFailed:
            outcomes.append(False)

    threads = [threading.Thread(target=one) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(True) == 10
    assert used_today(table, owner) == 1000


def test_the_count_goes_by_itself(table: Table, owner: str) -> None:
    reserve(table, owner, 1, 10)
    row = table.get(keys.budget(owner, NOON[:10]))
    assert row is not None
    days = (row["expires"] - clock.epoch_seconds(NOON)) / 86_400
    assert 30 <= days <= 60


class Restless(MemoryTable):
    """Every write is made, and sent again, since its answer is lost on the way."""

    def write(self, write: Write) -> dict[str, Any]:
        super().write(write)
        return super().write(write)


class Silent(MemoryTable):
    """Every write is made, and nobody is told."""

    def write(self, write: Write) -> dict[str, Any]:
        super().write(write)
        raise OutcomeUnknown("the connection broke")


@pytest.mark.parametrize("kind", [Restless, Silent])
def test_a_write_whose_answer_is_lost_counts_once_and_gives_back_once(kind: type[MemoryTable]) -> None:
    table = kind()
    first = reserve(table, "me", 600, 1000)
    assert used_today(table, "me") == 600
    second = reserve(table, "me", 400, 1000)
    settle(table, first, 100)
    assert used_today(table, "me") == 500
    settle(table, second, 400)
    assert used_today(table, "me") == 500


def test_an_answer_is_not_thrown_away_because_its_cost_cannot_be_written_down() -> None:
    class Full(MemoryTable):
        """It takes the reservation, and then is too busy for anything."""

        def write(self, write: Write) -> dict[str, Any]:
            if self.rows:
                raise RuntimeError(f"too busy for a {write.kind}")
            return super().write(write)

    table, told = Full(), ModelAnswer({"bullets": []}, (Completion("", "m", 100, 20),))
    assert MeteredCalls(table, "me", 1000).around("m", 100, 400, lambda: told) is told
    assert used_today(table, "me") == 400


def test_what_was_never_counted_is_not_let_in() -> None:
    class Dead(MemoryTable):
        def write(self, write: Write) -> dict[str, Any]:
            raise OutcomeUnknown(f"no answer to the {write.kind}")

    with pytest.raises(OutcomeUnknown):
        reserve(Dead(), "me", 600, 1000)
