"""The circuit breaker pauses calls to a failing provider and resumes them with one probe."""

from collections.abc import Iterator

import pytest

from readdo import clock
from readdo.engine import breaker
from readdo.engine.breaker import (
    FAILURES,
    LONGEST_PAUSE_SECONDS,
    PAUSE_SECONDS,
    PROBE_SECONDS,
    Pass,
    admit,
    answered,
    failed,
)
from readdo.errors import StepFailed
from readdo.lifecycle.write import Key, Table, Write
from readdo.store import keys
from support.memory import MemoryTable
from support.world import world

START = "2026-03-01T08:00:00.000Z"


class FakeClock:
    def __init__(self) -> None:
        self.at = START

    def now(self) -> str:
        return self.at

    def advance(self, seconds: float) -> None:
        self.at = clock.after(self.at, seconds)


@pytest.fixture(scope="module")
def dynamo() -> Iterator[Table]:
    with world() as opened:
        yield opened.table


@pytest.fixture(params=["double", "dynamo"])
def table(request: pytest.FixtureRequest) -> Table:
    return MemoryTable() if request.param == "double" else request.getfixturevalue("dynamo")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    fake = FakeClock()
    monkeypatch.setattr(clock, "now", fake.now)
    return fake


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def trip(table: Table, name: str) -> None:
    for _ in range(FAILURES):
        failed(table, admit(table, name))


def wait_seconds(table: Table, name: str) -> float:
    """Return the seconds until the breaker admits a call again."""
    with pytest.raises(StepFailed) as raised:
        admit(table, name)
    assert raised.value.code == "AI_PROVIDER_ERROR"
    assert name in raised.value.message
    return clock.seconds_between(clock.now(), raised.value.waits_until)


def test_breaker_admits_calls_to_a_healthy_provider_without_a_row(table: Table, name: str) -> None:
    assert admit(table, name).probe == ""
    answered(table, admit(table, name))
    assert table.get(keys.provider(name)) is None, "success writes no row"


def test_breaker_opens_after_five_failures_within_a_minute_but_not_four(
    table: Table, name: str, time: FakeClock
) -> None:
    for _ in range(FAILURES - 1):
        failed(table, admit(table, name))
        time.advance(14)
    assert admit(table, name).probe == ""
    failed(table, admit(table, name))
    assert PAUSE_SECONDS <= wait_seconds(table, name) <= PAUSE_SECONDS + 15


class ConcurrentFailures:
    """Table in which another call's failure is recorded between each read and write."""

    def __init__(self, table: Table, name: str, others: int) -> None:
        self._table, self._name, self._others = table, name, others

    def get(self, key: Key) -> object:
        row = self._table.get(key)
        if self._others:
            self._others -= 1
            failed(self._table, Pass(self._name))
        return row

    def write(self, write: Write) -> object:
        return self._table.write(write)


@pytest.mark.parametrize("others", range(1, FAILURES + 1))
def test_breaker_counts_each_concurrent_failure(table: Table, name: str, others: int) -> None:
    failed(ConcurrentFailures(table, name, others), Pass(name))  # type: ignore[arg-type]
    row = table.get(keys.provider(name))
    assert row is not None
    assert len(row["failed_at"]) == min(others + 1, FAILURES)
    assert (row["status"] == "DOWN") == (others + 1 >= FAILURES)


def test_breaker_stays_closed_if_failures_are_spread_over_more_than_a_minute(
    table: Table, name: str, time: FakeClock
) -> None:
    for _ in range(3 * FAILURES):
        failed(table, admit(table, name))
        time.advance(16)
    assert admit(table, name).probe == ""


def test_breaker_uses_a_sliding_window(table: Table, name: str, time: FakeClock) -> None:
    for pause in (55, 2, 2, 2, 2):  # the first failure is older than a minute when the fifth comes
        failed(table, admit(table, name))
        time.advance(pause)
    assert admit(table, name).probe == ""
    failed(table, admit(table, name))  # five failures within eight seconds, across the boundary of a minute
    assert wait_seconds(table, name) > 0


def test_breaker_admits_one_probe_after_the_pause(table: Table, name: str, time: FakeClock) -> None:
    trip(table, name)
    time.advance(PAUSE_SECONDS + 1)
    probe = admit(table, name)
    assert probe.probe
    assert wait_seconds(table, name) >= PROBE_SECONDS
    answered(table, probe)
    assert [admit(table, name).probe for _ in range(3)] == ["", "", ""]


def test_successful_probe_resets_the_failures(table: Table, name: str, time: FakeClock) -> None:
    trip(table, name)
    time.advance(PAUSE_SECONDS + 1)
    answered(table, admit(table, name))
    for _ in range(FAILURES - 1):
        failed(table, admit(table, name))
    assert admit(table, name).probe == ""


def test_failed_probe_doubles_the_pause_up_to_a_limit(table: Table, name: str, time: FakeClock) -> None:
    trip(table, name)
    pauses = []
    for _ in range(7):
        time.advance(LONGEST_PAUSE_SECONDS + 1)
        failed(table, admit(table, name))
        row = table.get(keys.provider(name))
        assert row is not None
        pauses.append(clock.seconds_between(time.at, row["again_at"]))
    assert pauses == [60, 120, 240, 480, 600, 600, 600]


def test_probe_that_never_ends_is_replaced(table: Table, name: str, time: FakeClock) -> None:
    trip(table, name)
    time.advance(PAUSE_SECONDS + 1)
    lost = admit(table, name)
    time.advance(PROBE_SECONDS + 1)
    second = admit(table, name)
    assert second.probe not in ("", lost.probe)
    failed(table, lost)
    answered(table, lost)
    assert wait_seconds(table, name) > 0, "the result of an abandoned probe is ignored"
    answered(table, second)
    assert admit(table, name).probe == ""


def test_only_one_of_two_concurrent_calls_becomes_the_probe(table: Table, name: str, time: FakeClock) -> None:
    trip(table, name)
    time.advance(PAUSE_SECONDS + 1)
    stale_row = table.get(keys.provider(name))

    class Stale:
        """Table that returns the provider's row from before the other probe."""

        def get(self, _key: object) -> object:
            return stale_row

        def write(self, write: object) -> object:
            return table.write(write)  # type: ignore[arg-type]

    assert admit(table, name).probe
    with pytest.raises(StepFailed) as raised:
        admit(Stale(), name)  # type: ignore[arg-type]
    assert raised.value.waits_until


def test_calls_from_before_the_pause_do_not_change_an_open_breaker(table: Table, name: str) -> None:
    early = admit(table, name)
    trip(table, name)
    before = table.get(keys.provider(name))
    failed(table, early)
    answered(table, early)
    assert table.get(keys.provider(name)) == before


def test_breaker_state_is_separate_for_each_provider(table: Table, name: str) -> None:
    trip(table, name)
    assert admit(table, f"{name}-other").probe == ""


def test_breaker_row_does_not_grow(table: Table, name: str, time: FakeClock) -> None:
    for _ in range(60):
        trip(table, name)
        time.advance(PAUSE_SECONDS + 1)
        answered(table, admit(table, name))
    row = table.get(keys.provider(name))
    assert row is not None
    assert len(str(row)) < 600
    assert row["status"] == "WELL"
    assert breaker.WINDOW_SECONDS == 60
