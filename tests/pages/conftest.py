"""One world a module, and somebody who looks at its pages with a browser that runs no scripts."""

from collections.abc import Iterator

import pytest

from support.reader import Reader
from support.world import World, world


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    with world() as found:
        yield found


@pytest.fixture(params=["en", "zh"])
def reader(shared: World, request: pytest.FixtureRequest) -> Reader:
    """In either language: whatever holds, holds in both."""
    return Reader(shared, language=request.param)


@pytest.fixture
def english(shared: World) -> Reader:
    return Reader(shared)
