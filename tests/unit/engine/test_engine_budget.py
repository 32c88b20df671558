"""The daily token budget: conditional reservation before a call, settlement after it.

A step beyond the limit waits for the next day without using up a retry.
"""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from readdo import clock
from readdo.engine.budget import reserve, settle, used_today
from readdo.engine.metered_call import MeteredCalls
from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.response_repair import ModelAnswer
from readdo.errors import StepFailed
from readdo.lifecycle.write import OutcomeUnknown, Table, Write
from readdo.store import keys
from support.memory import MemoryTable
from support.world import world

NOON = "2026-03-01T12:00:00.000Z"


@pytest.fixture(scope="module")
def deployed() -> Iterator[Table]:
    with world() as opened:
        yield opened.table


@pytest.fixture
def table(deployed: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    return deployed


@pytest.fixture
def owner(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)[:60]


def expect_refusal(table: Table, owner: str, tokens: int, limit: int) -> StepFailed:
    with pytest.raises(StepFailed) as raised:
        reserve(table, owner, tokens, limit)
    assert raised.value.code == "AI_BUDGET_EXCEEDED"
    return raised.value


def test_reserve_allows_exactly_the_limit(table: Table, owner: str) -> None:
    reserve(table, owner, 600, 1000)
    reserve(table, owner, 400, 1000)
    assert used_today(table, owner) == 1000
    expect_refusal(table, owner, 1, 1000)
    assert used_today(table, owner) == 1000


def test_reserve_beyond_the_limit_reports_the_usage_and_waits_until_the_next_day(table: Table, owner: str) -> None:
    reserve(table, owner, 900, 1000)
    failure = expect_refusal(table, owner, 200, 1000)
    assert "900 of 1,000" in failure.message
    assert failure.waits_until == "2026-03-02T00:01:00.000Z"


def test_settle_returns_unused_tokens(table: Table, owner: str) -> None:
    reserved = reserve(table, owner, 800, 1000)
    settle(table, reserved, 120)
    assert used_today(table, owner) == 120
    reserve(table, owner, 880, 1000)


def test_budget_is_separate_for_each_day_and_owner(table: Table, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reserved = reserve(table, owner, 1000, 1000)
    reserve(table, f"{owner}-2", 1000, 1000)
    monkeypatch.setattr(clock, "now", lambda: clock.after(NOON, 86_400))
    assert used_today(table, owner) == 0
    reserve(table, owner, 1000, 1000)
    settle(table, reserved, 10)  # a call that ends after midnight counts for the day of its reservation
    assert used_today(table, owner) == 1000


def test_text_larger_than_a_daily_budget_fails_without_waiting(table: Table, owner: str) -> None:
    failure = expect_refusal(table, owner, 5000, 1000)
    assert "5,000" in failure.message
    assert not failure.waits_until
    assert not failure.retryable
    assert used_today(table, owner) == 0


def test_budget_of_zero_refuses_every_call(table: Table, owner: str) -> None:
    failure = expect_refusal(table, owner, 1, 0)
    assert "(DailyTokens) is 0" in failure.message
    assert not failure.waits_until


def test_concurrent_reservations_do_not_exceed_the_limit(table: Table, owner: str) -> None:
    outcomes: list[bool] = []

    def reserve_once() -> None:
        try:
            reserve(table, owner, 100, 1000)
            outcomes.append(True)
        except StepFailed:
            outcomes.append(False)

    threads = [threading.Thread(target=reserve_once) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(True) == 10
    assert used_today(table, owner) == 1000


def test_budget_row_expires(table: Table, owner: str) -> None:
    reserve(table, owner, 1, 10)
    row = table.get(keys.budget(owner, NOON[:10]))
    assert row is not None
    days = (row["expires"] - clock.epoch_seconds(NOON)) / 86_400
    assert 30 <= days <= 60


class RepeatingTable(MemoryTable):
    """Table that makes every write twice, as the SDK does after a lost response."""

    def write(self, write: Write) -> dict[str, Any]:
        super().write(write)
        return super().write(write)


class SilentTable(MemoryTable):
    """Table that makes every write and loses the response."""

    def write(self, write: Write) -> dict[str, Any]:
        super().write(write)
        raise OutcomeUnknown("the connection broke")


@pytest.mark.parametrize("kind", [RepeatingTable, SilentTable])
def test_write_with_a_lost_response_counts_once(kind: type[MemoryTable]) -> None:
    table = kind()
    first = reserve(table, "me", 600, 1000)
    assert used_today(table, "me") == 600
    second = reserve(table, "me", 400, 1000)
    settle(table, first, 100)
    assert used_today(table, "me") == 500
    settle(table, second, 400)
    assert used_today(table, "me") == 500


def test_answer_is_kept_if_its_settlement_fails() -> None:
    class Full(MemoryTable):
        """Table that accepts the reservation and fails every later write."""

        def write(self, write: Write) -> dict[str, Any]:
            if self.rows:
                raise RuntimeError(f"too busy for a {write.kind}")
            return super().write(write)

    table, answer = Full(), ModelAnswer({"bullets": []}, (Completion("", "m", 100, 20),))
    assert MeteredCalls(table, "me", 1000).around("m", 100, 400, lambda: answer) is answer
    assert used_today(table, "me") == 400


def test_reserve_fails_if_the_write_fails() -> None:
    class Dead(MemoryTable):
        def write(self, write: Write) -> dict[str, Any]:
            raise OutcomeUnknown(f"no answer to the {write.kind}")

    with pytest.raises(OutcomeUnknown):
        reserve(Dead(), "me", 600, 1000)
