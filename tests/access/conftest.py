"""One world a module, in which everything that a stranger might want is there."""

from collections.abc import Iterator

import pytest
from api_calls import Home, settled_home

from support.world import world


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with world() as made:
        yield settled_home(made)
