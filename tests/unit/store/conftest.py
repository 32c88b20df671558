"""The template's table and bucket on moto, one per test module."""

from collections.abc import Iterator

import pytest

from readdo.store.table import DynamoTable
from support.moto import moto_world
from support.world import World


@pytest.fixture(scope="module")
def deployed() -> Iterator[World]:
    with moto_world() as world:
        yield world


@pytest.fixture
def table(deployed: World) -> DynamoTable:
    return deployed.table
