"""One world a module, in which, once an item was read to its end, nothing starts by itself any more."""

import itertools
from collections.abc import Iterator

import pytest

from readdo import clock
from support.sample_run import SampleRun
from support.world import REGION, World, world

pytest.register_assert_rewrite("fuzz_client", "fuzz_machine")
_NOWHERE = f"arn:aws:states:{REGION}:123456789012:stateMachine:gone"


@pytest.fixture(scope="module")
def lively() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture(scope="module")
def sample(lively: World) -> SampleRun:
    return SampleRun(lively)


@pytest.fixture(scope="module")
def still(lively: World, sample: SampleRun) -> Iterator[World]:
    assert sample.row
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROCESS_MACHINE_ARN", _NOWHERE)
        patch.setenv("EXPORT_MACHINE_ARN", _NOWHERE)
        patch.setenv("BACKUP_MACHINE_ARN", _NOWHERE)
        patch.setenv("RESTORE_MACHINE_ARN", _NOWHERE)
        yield lively


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A millisecond a look: what is due after a minute is due when a history says so, however busy the machine is."""
    begun, looks = clock.now(), itertools.count()
    monkeypatch.setattr(clock, "now", lambda: clock.after(begun, next(looks) / 1000))
