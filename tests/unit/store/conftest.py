"""The real template's table and bucket on moto, one a module."""

from collections.abc import Iterator

import pytest

from readdo.store.table import DynamoTable
from support.moto import moto_world
from support.world import World


@pytest.fixture(scope="module")
def deployed() -> Iterator[World]:
    with moto_world() as made:
        yield made


@pytest.fixture
def table(deployed: World) -> DynamoTable:
    return deployed.table
