"""One world a module: the tests of a module work on items of their own."""

from collections.abc import Iterator

import pytest
from items_in import FUTURE

from readdo.lifecycle.write import Write
from readdo.store.due import NOT_DUE, overdue
from support.world import World, world


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    with world() as found:
        yield found


@pytest.fixture
def quiet(shared: World) -> Iterator[World]:
    """The shared world, in which nothing is or will be due but what the test itself makes so."""
    yield shared
    shared.settle()
    for key, _ in list(overdue(shared.table, FUTURE)):
        shared.table.write(Write(key, removes=NOT_DUE))
