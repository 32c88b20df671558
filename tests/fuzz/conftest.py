"""One world a module, in which, once an item was read to its end, nothing starts by itself any more."""

from collections.abc import Iterator

import pytest

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
