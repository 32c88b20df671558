from collections.abc import Iterator

import pytest

from support.built import Built, everything
from support.moto import moto_world
from support.world import World


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return everything(tmp_path_factory.mktemp("packages"))


@pytest.fixture
def world() -> Iterator[World]:
    """World on moto: other programs and processes call it."""
    with moto_world() as moto:
        yield moto
