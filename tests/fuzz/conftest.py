"""Fixtures of the fuzz tests: one world a module; after a first finished item no execution starts."""

import itertools
from collections.abc import Iterator

import pytest

from readdo import clock
from support.sample_run import SampleRun
from support.world import REGION, World, world

pytest.register_assert_rewrite("fuzz.fuzz_client", "fuzz.fuzz_machine")
_NOWHERE = f"arn:aws:states:{REGION}:123456789012:stateMachine:gone"


@pytest.fixture(scope="module")
def running_world() -> Iterator[World]:
    with world() as new_world:
        yield new_world


@pytest.fixture(scope="module")
def sample(running_world: World) -> SampleRun:
    return SampleRun(running_world)


@pytest.fixture(scope="module")
def idle_world(running_world: World, sample: SampleRun) -> Iterator[World]:
    assert sample.row
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROCESS_MACHINE_ARN", _NOWHERE)
        patch.setenv("EXPORT_MACHINE_ARN", _NOWHERE)
        patch.setenv("BACKUP_MACHINE_ARN", _NOWHERE)
        patch.setenv("RESTORE_MACHINE_ARN", _NOWHERE)
        yield running_world


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clock that moves a millisecond with each call.

    So work is due at the same step of a history, also on a busy machine.
    """
    start, calls = clock.now(), itertools.count()
    monkeypatch.setattr(clock, "now", lambda: clock.after(start, next(calls) / 1000))
