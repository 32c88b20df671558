"""Fixtures: one world per module, with data of the first owner."""

from collections.abc import Iterator

import pytest

from access.api_calls import Account, prepare_account
from support.world import world


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    with world() as prepared:
        yield prepare_account(prepared)
