from collections.abc import Iterator

import pytest

from support.world import World, world


@pytest.fixture
def made() -> Iterator[World]:
    with world() as found:
        yield found
