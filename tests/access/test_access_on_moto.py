"""Requests of other users on moto: the response, and the AWS calls that it takes."""

from collections.abc import Iterator

import pytest

from access.api_calls import OF_ITEMS, PROTECTED_CALLS, UNKNOWN_ID, Account, calls_to_aws, prepare_account
from readdo.web.call_spec import Call
from support.moto import moto_world


@pytest.fixture(scope="module")
def account() -> Iterator[Account]:
    with moto_world() as world:
        yield prepare_account(world)


@pytest.fixture(scope="module")
def other_token(account: Account) -> str:
    secret = account.token_of("stranger")
    account.world.api("GET", "/items", token=secret)  # the function now has the token in its cache
    return secret


@pytest.mark.parametrize("call", OF_ITEMS, ids=lambda call: call.name)
def test_item_of_another_owner_costs_the_same_calls_as_a_missing_one(
    account: Account, other_token: str, call: Call
) -> None:
    """Otherwise the response time would reveal that the item exists."""
    work = []
    for item in ("", UNKNOWN_ID):
        with calls_to_aws() as names:
            assert account.send(call, item=item, token=other_token).status == 404
        work.append(list(names))
    assert work[0] == work[1]
    assert 1 <= len(work[0]) <= 2


@pytest.mark.parametrize("call", PROTECTED_CALLS, ids=lambda call: call.name)
def test_call_without_a_token_makes_no_aws_calls(account: Account, call: Call) -> None:
    with calls_to_aws() as names:
        assert account.send(call, token="").status == 401
    assert names == []
