"""Slow, busy and broken off: the same command goes on, and ends as if nothing had been."""

from typing import Any

import pytest
from aws_account import Account, refusal
from aws_person import Person
from moto.dynamodb.models import table as moto_table
from test_cloud_restore import Past, item, rows, wipe


def lost(account: Account, person: Person, items: int = 20) -> Past:
    outputs = account.deploy()
    for number in range(items):
        item(outputs["TableName"], number)
    past = Past(account, person, outputs)
    wipe(past.table)
    return past


def at_call(account: Account, operation: str, number: int, raised: BaseException) -> None:
    """That call of it, and none before or after."""
    left = [number]

    def broken(call: Any, _given: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            raise raised
        return call()

    account.instead[operation] = broken


@pytest.mark.parametrize(
    ("operation", "number"),
    [("Scan", 2), ("PutItem", 1), ("PutItem", 27), ("GetItem", 9), ("Scan", 31), ("ListObjectVersions", 1)],
)
@pytest.mark.parametrize(
    ("raised", "code"), [(KeyboardInterrupt(), 130), (refusal("ThrottlingException"), 5)], ids=["interrupted", "busy"]
)
def test_broken_off_anywhere_it_says_how_to_go_on_and_does(
    account: Account, person: Person, operation: str, number: int, raised: BaseException, code: int
) -> None:
    past = lost(account, person)
    at_call(account, operation, number, raised)
    told = past.run()
    assert told.code == code
    assert told.err.endswith(f"does nothing twice:\n    make restore AT={past.at}\n")
    del account.instead[operation]
    told = past.run()
    assert told.code == 0, told.err
    assert len(rows(past.table)) == 60
    assert len(account.called("RestoreTableToPointInTime")) == 1


def test_a_row_that_the_product_is_just_writing_is_tried_again(account: Account, person: Person) -> None:
    past = lost(account, person, 2)
    at_call(account, "PutItem", 2, refusal("TransactionConflictException"))
    told = past.run()
    assert told.code == 0, told.err
    assert (len(rows(past.table)), person.waited) == (6, [0.5])


def test_it_waits_for_the_copy_and_says_for_how_long(account: Account, person: Person) -> None:
    past = lost(account, person, 1)

    def slow(call: Any, given: dict[str, Any]) -> Any:
        answer = call()
        if given["TableName"] == past.copy and len(person.waited) < 13:
            answer["Table"]["TableStatus"] = "CREATING"
        return answer

    account.instead["DescribeTable"] = slow
    told = past.run()
    assert told.code == 0, told.err
    assert told.out.splitlines()[:4] == [
        "AWS is making the copy, for 0 minutes now",
        "AWS is making the copy, for 1 minutes now",
        "AWS is making the copy, for 2 minutes now",
        f"The copy is there: {past.copy}",
    ]
    assert person.waited == [10] * 13


def test_interrupted_while_the_copy_is_made_it_is_not_made_again(account: Account, person: Person) -> None:
    past = lost(account, person, 1)

    def slow(call: Any, given: dict[str, Any]) -> Any:
        answer = call()
        if given["TableName"] == past.copy:
            answer["Table"]["TableStatus"] = "CREATING"
        return answer

    def interrupted() -> None:
        raise KeyboardInterrupt

    account.instead["DescribeTable"], person.on_wait = slow, interrupted
    told = past.run()
    assert told.code == 130
    assert "a copy that AWS is making goes on" in told.err
    assert rows(past.table) == {}
    del account.instead["DescribeTable"]
    assert past.run().code == 0
    assert len(rows(past.table)) == 3
    assert len(account.called("RestoreTableToPointInTime")) == 1


def test_a_copy_that_never_appears_is_not_waited_for_for_ever(account: Account, person: Person) -> None:
    past = lost(account, person, 1)

    def unknown(call: Any, given: dict[str, Any]) -> Any:
        if given["TableName"] == past.copy:
            raise refusal("ResourceNotFoundException")
        return call()

    account.instead["DescribeTable"] = unknown
    told = past.run()
    assert told.code == 1
    assert "AWS does not know the copy" in told.err
    assert len(person.waited) == 12


def test_a_copy_that_somebody_began_at_the_same_time_is_taken(account: Account, person: Person) -> None:
    past = lost(account, person, 1)
    restore = account.instead["RestoreTableToPointInTime"]

    def twice(call: Any, given: dict[str, Any]) -> Any:
        restore(call, given)
        raise refusal("TableAlreadyExistsException")

    account.instead["RestoreTableToPointInTime"] = twice
    assert past.run().code == 0
    assert len(rows(past.table)) == 3


def test_many_pages(account: Account, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    past = lost(account, person)
    with monkeypatch.context() as small:
        small.setattr(moto_table, "RESULT_SIZE_LIMIT", 300)
        told = past.run()
    assert told.code == 0, told.err
    assert any("ExclusiveStartKey" in given for given in account.called("Scan"))
    assert len(rows(past.table)) == 60
    assert "Rows put back: 60, of them 20 items." in told.err
