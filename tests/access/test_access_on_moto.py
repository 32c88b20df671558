"""Strangers at the calls that reach AWS: what they are answered, and how much work each answer takes."""

from collections.abc import Iterator

import pytest
from api_calls import CLOSED, NOBODYS, Home, calls_to_aws, settled_home

from readdo.web.call import Call
from support.moto import moto_world

OF_ITEMS = [call for call in CLOSED if "{" in call.path]


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with moto_world() as made:
        yield settled_home(made)


@pytest.fixture(scope="module")
def stranger(home: Home) -> str:
    secret = home.token_of("stranger")
    home.world.api("GET", "/items", token=secret)  # the function has read the token once
    return secret


@pytest.mark.parametrize("call", OF_ITEMS, ids=lambda call: call.name)
def test_item_of_another_owner_takes_the_work_of_a_missing_one(home: Home, stranger: str, call: Call) -> None:
    """The time of the answer does not show that the item exists."""
    work = []
    for item in ("", NOBODYS):
        with calls_to_aws() as made:
            assert home.ask(call, item=item, token=stranger).status == 404
        work.append(list(made))
    assert work[0] == work[1]
    assert 1 <= len(work[0]) <= 2


@pytest.mark.parametrize("call", CLOSED, ids=lambda call: call.name)
def test_call_without_a_token_reads_nothing(home: Home, call: Call) -> None:
    with calls_to_aws() as made:
        assert home.ask(call, token="").status == 401
    assert made == []
