"""Fixtures: one world per module, and readers that use the pages without scripts."""

from collections.abc import Iterator

import pytest

from support.reader import Reader
from support.world import World
from support.world import world as new_world


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with new_world() as module_world:
        yield module_world


@pytest.fixture(params=["en", "zh"])
def reader(world: World, request: pytest.FixtureRequest) -> Reader:
    """A reader for each language; every test holds in both."""
    return Reader(world, language=request.param)


@pytest.fixture
def english(world: World) -> Reader:
    return Reader(world)
