"""Fixtures of the races: one world a module, without executions; each round has its own owner."""

import sys
from collections.abc import Iterator

import pytest

from races.race_round import Arena
from readdo import files, runtime
from support.moto import moto_world
from support.world import REGION

_NOWHERE = f"arn:aws:states:{REGION}:123456789012:stateMachine:gone"


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    short_interval, usual_interval = 1e-4, sys.getswitchinterval()
    with moto_world() as world, pytest.MonkeyPatch.context() as patch:
        new_arena = Arena(world)
        patch.setattr(runtime, "_record", lambda *_: None)  # thousands of lines would hide the reason of a failure
        files.remove_all("nothing/")  # botocore is not safe for 32 threads that create a client at once
        patch.setenv("PROCESS_MACHINE_ARN", _NOWHERE)
        patch.setenv("EXPORT_MACHINE_ARN", _NOWHERE)
        patch.setenv("BACKUP_MACHINE_ARN", _NOWHERE)
        patch.setenv("RESTORE_MACHINE_ARN", _NOWHERE)
        sys.setswitchinterval(short_interval)
        try:
            yield new_arena
        finally:
            sys.setswitchinterval(usual_interval)
