"""One world a module, in which nothing starts by itself: each round has an owner of its own."""

import sys
from collections.abc import Iterator

import pytest
from race_round import Arena

from support.moto import moto_world
from support.world import REGION

_NOWHERE = f"arn:aws:states:{REGION}:123456789012:stateMachine:gone"


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    often, usual = 1e-4, sys.getswitchinterval()
    with moto_world() as made, pytest.MonkeyPatch.context() as patch:
        found = Arena(made)
        patch.setenv("PROCESS_MACHINE_ARN", _NOWHERE)
        patch.setenv("EXPORT_MACHINE_ARN", _NOWHERE)
        patch.setenv("BACKUP_MACHINE_ARN", _NOWHERE)
        patch.setenv("RESTORE_MACHINE_ARN", _NOWHERE)
        sys.setswitchinterval(often)
        try:
            yield found
        finally:
            sys.setswitchinterval(usual)
