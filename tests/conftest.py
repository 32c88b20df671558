import gc
from collections.abc import Iterator

import pytest

from support.moto import moto_world
from support.world import World, world

# What moto and botocore keep is large and lives long: looking through it as often as usual takes a fifth of all time.
gc.set_threshold(100_000, 50, 100)


@pytest.fixture
def made() -> Iterator[World]:
    with world() as found:
        yield found


@pytest.fixture
def on_moto() -> Iterator[World]:
    """Where botocore's own calls count: what was sent, signed and counted by DynamoDB and S3."""
    with moto_world() as found:
        yield found
