"""A provider that is down is left alone, and taken up again by one call."""

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


class Clock:
    def __init__(self) -> None:
        self.at = START

    def now(self) -> str:
        return self.at

    def on(self, seconds: float) -> None:
        self.at = clock.after(self.at, seconds)


@pytest.fixture(scope="module")
def dynamo() -> Iterator[Table]:
    with world() as made:
        yield made.table


@pytest.fixture(params=["double", "dynamo"])
def table(request: pytest.FixtureRequest) -> Table:
    return MemoryTable() if request.param == "double" else request.getfixturevalue("dynamo")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(clock, "now", found.now)
    return found


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def down(table: Table, name: str) -> None:
    for _ in range(FAILURES):
        failed(table, admit(table, name))


def waits(table: Table, name: str) -> float:
    """How long, from now, one is told to wait."""
    with pytest.raises(StepFailed) as told:
        admit(table, name)
    assert told.value.code == "AI_PROVIDER_ERROR"
    assert name in told.value.message
    return clock.seconds_between(clock.now(), told.value.waits_until)


def test_a_provider_nobody_knows_ill_of_is_asked(table: Table, name: str) -> None:
    assert admit(table, name).probe == ""
    answered(table, admit(table, name))
    assert table.get(keys.provider(name)) is None, "health costs no write"


def test_five_failures_within_a_minute_close_the_door_and_four_do_not(table: Table, name: str, time: Clock) -> None:
    for _ in range(FAILURES - 1):
        failed(table, admit(table, name))
        time.on(14)
    assert admit(table, name).probe == ""
    failed(table, admit(table, name))
    assert PAUSE_SECONDS <= waits(table, name) <= PAUSE_SECONDS + 15


class Crowd:
    """Another's failure comes between each look and the write that follows upon it."""

    def __init__(self, table: Table, name: str, others: int) -> None:
        self._table, self._name, self._others = table, name, others

    def get(self, key: Key) -> object:
        seen = self._table.get(key)
        if self._others:
            self._others -= 1
            failed(self._table, Pass(self._name))
        return seen

    def write(self, write: Write) -> object:
        return self._table.write(write)


@pytest.mark.parametrize("others", range(1, FAILURES + 1))
def test_of_failures_at_the_same_time_each_is_counted(table: Table, name: str, others: int) -> None:
    failed(Crowd(table, name, others), Pass(name))  # type: ignore[arg-type]
    row = table.get(keys.provider(name))
    assert row is not None
    assert len(row["failed_at"]) == min(others + 1, FAILURES)
    assert (row["status"] == "DOWN") == (others + 1 >= FAILURES)


def test_five_failures_over_more_than_a_minute_do_not(table: Table, name: str, time: Clock) -> None:
    for _ in range(3 * FAILURES):
        failed(table, admit(table, name))
        time.on(16)
    assert admit(table, name).probe == ""


def test_the_minute_slides(table: Table, name: str, time: Clock) -> None:
    for pause in (55, 2, 2, 2, 2):  # the first is forgotten when the fifth comes
        failed(table, admit(table, name))
        time.on(pause)
    assert admit(table, name).probe == ""
    failed(table, admit(table, name))  # five within eight seconds, whenever a minute began
    assert waits(table, name) > 0


def test_after_the_pause_one_probes_and_the_others_wait(table: Table, name: str, time: Clock) -> None:
    down(table, name)
    time.on(PAUSE_SECONDS + 1)
    probe = admit(table, name)
    assert probe.probe
    assert waits(table, name) >= PROBE_SECONDS
    answered(table, probe)
    assert [admit(table, name).probe for _ in range(3)] == ["", "", ""]


def test_what_closed_the_door_is_forgotten_when_it_opens(table: Table, name: str, time: Clock) -> None:
    down(table, name)
    time.on(PAUSE_SECONDS + 1)
    answered(table, admit(table, name))
    for _ in range(FAILURES - 1):
        failed(table, admit(table, name))
    assert admit(table, name).probe == ""


def test_a_probe_that_fails_doubles_the_pause_up_to_a_limit(table: Table, name: str, time: Clock) -> None:
    down(table, name)
    pauses = []
    for _ in range(7):
        time.on(LONGEST_PAUSE_SECONDS + 1)
        failed(table, admit(table, name))
        row = table.get(keys.provider(name))
        assert row is not None
        pauses.append(clock.seconds_between(time.at, row["again_at"]))
    assert pauses == [60, 120, 240, 480, 600, 600, 600]


def test_a_probe_that_never_ends_is_another_calls_turn(table: Table, name: str, time: Clock) -> None:
    down(table, name)
    time.on(PAUSE_SECONDS + 1)
    lost = admit(table, name)
    time.on(PROBE_SECONDS + 1)
    second = admit(table, name)
    assert second.probe not in ("", lost.probe)
    failed(table, lost)
    answered(table, lost)
    assert waits(table, name) > 0, "a probe that was given up says nothing more"
    answered(table, second)
    assert admit(table, name).probe == ""


def test_of_two_that_would_probe_at_once_one_does(table: Table, name: str, time: Clock) -> None:
    down(table, name)
    time.on(PAUSE_SECONDS + 1)
    seen = table.get(keys.provider(name))

    class Stale:
        """Sees the provider as it was before the other's probe."""

        def get(self, _key: object) -> object:
            return seen

        def write(self, write: object) -> object:
            return table.write(write)  # type: ignore[arg-type]

    assert admit(table, name).probe
    with pytest.raises(StepFailed) as told:
        admit(Stale(), name)  # type: ignore[arg-type]
    assert told.value.waits_until


def test_failures_of_calls_that_began_before_the_door_closed_do_not_open_or_prolong_it(table: Table, name: str) -> None:
    early = admit(table, name)
    down(table, name)
    before = table.get(keys.provider(name))
    failed(table, early)
    answered(table, early)
    assert table.get(keys.provider(name)) == before


def test_providers_are_told_apart(table: Table, name: str) -> None:
    down(table, name)
    assert admit(table, f"{name}-other").probe == ""


def test_the_row_does_not_grow(table: Table, name: str, time: Clock) -> None:
    for _ in range(60):
        down(table, name)
        time.on(PAUSE_SECONDS + 1)
        answered(table, admit(table, name))
    row = table.get(keys.provider(name))
    assert row is not None
    assert len(str(row)) < 600
    assert row["status"] == "WELL"
    assert breaker.WINDOW_SECONDS == 60
