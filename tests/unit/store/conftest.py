"""The real template's table and bucket on moto, one a module."""

from collections.abc import Iterator

import pytest

from readdo.store.table import DynamoTable
from support.world import World, world


@pytest.fixture(scope="module")
def deployed() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture
def table(deployed: World) -> DynamoTable:
    return deployed.table
