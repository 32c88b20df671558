"""make restore when AWS is slow or the command is interrupted: the same command continues it."""

from typing import Any

import pytest
from moto.dynamodb.models import table as moto_table

from support.aws_account import Account, refusal
from support.aws_past import Past, all_rows, delete_all_rows, put_item_rows
from support.aws_person import User


def past_of_emptied_table(account: Account, user: User, items: int = 20) -> Past:
    outputs = account.deploy()
    for number in range(items):
        put_item_rows(outputs["TableName"], number)
    past = Past(account, user, outputs)
    delete_all_rows(past.table)
    return past


def fail_at_call(account: Account, operation: str, number: int, error: BaseException) -> None:
    """Fail this call of the operation only."""
    remaining = [number]

    def fail_at_number(call: Any, _params: Any) -> Any:
        remaining[0] -= 1
        if remaining[0] == 0:
            raise error
        return call()

    account.instead[operation] = fail_at_number


@pytest.mark.parametrize(
    ("operation", "number"),
    [("Scan", 2), ("PutItem", 1), ("PutItem", 27), ("GetItem", 9), ("Scan", 31), ("ListObjectVersions", 1)],
)
@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt(), 130), (refusal("ThrottlingException"), 5)], ids=["interrupted", "busy"]
)
def test_interrupted_restore_prints_how_to_resume_and_resumes(
    account: Account, user: User, operation: str, number: int, error: BaseException, code: int
) -> None:
    past = past_of_emptied_table(account, user)
    fail_at_call(account, operation, number, error)
    result = past.run()
    assert result.code == code
    assert result.err.endswith(f"run the same command again:\n    make restore AT={past.at}\n")
    del account.instead[operation]
    result = past.run()
    assert result.code == 0, result.err
    assert len(all_rows(past.table)) == 60
    assert len(account.calls_of("RestoreTableToPointInTime")) == 1


def test_row_in_a_transaction_is_retried(account: Account, user: User) -> None:
    past = past_of_emptied_table(account, user, 2)
    fail_at_call(account, "PutItem", 2, refusal("TransactionConflictException"))
    result = past.run()
    assert result.code == 0, result.err
    assert (len(all_rows(past.table)), user.waited) == (6, [0.5])


def test_restore_waits_for_the_copy_and_prints_progress(account: Account, user: User) -> None:
    past = past_of_emptied_table(account, user, 1)

    def describe_as_creating(call: Any, params: dict[str, Any]) -> Any:
        answer = call()
        if params["TableName"] == past.copy and len(user.waited) < 13:
            answer["Table"]["TableStatus"] = "CREATING"
        return answer

    account.instead["DescribeTable"] = describe_as_creating
    result = past.run()
    assert result.code == 0, result.err
    assert result.out.splitlines()[:4] == [
        "Creating the copy: 0 minutes so far",
        "Creating the copy: 1 minutes so far",
        "Creating the copy: 2 minutes so far",
        f"Created the copy {past.copy}",
    ]
    assert user.waited == [10] * 13


def test_interrupted_wait_for_the_copy_makes_no_second_copy(account: Account, user: User) -> None:
    past = past_of_emptied_table(account, user, 1)

    def describe_as_creating(call: Any, params: dict[str, Any]) -> Any:
        answer = call()
        if params["TableName"] == past.copy:
            answer["Table"]["TableStatus"] = "CREATING"
        return answer

    def interrupted() -> None:
        raise KeyboardInterrupt

    account.instead["DescribeTable"], user.on_wait = describe_as_creating, interrupted
    result = past.run()
    assert result.code == 130
    assert "AWS continues to create the copy" in result.err
    assert all_rows(past.table) == {}
    del account.instead["DescribeTable"]
    assert past.run().code == 0
    assert len(all_rows(past.table)) == 3
    assert len(account.calls_of("RestoreTableToPointInTime")) == 1


def test_wait_for_a_missing_copy_has_a_limit(account: Account, user: User) -> None:
    past = past_of_emptied_table(account, user, 1)

    def refuse_copy(call: Any, params: dict[str, Any]) -> Any:
        if params["TableName"] == past.copy:
            raise refusal("ResourceNotFoundException")
        return call()

    account.instead["DescribeTable"] = refuse_copy
    result = past.run()
    assert result.code == 1
    assert "was not found in AWS" in result.err
    assert len(user.waited) == 12


def test_copy_started_by_another_process_is_used(account: Account, user: User) -> None:
    past = past_of_emptied_table(account, user, 1)
    restore = account.instead["RestoreTableToPointInTime"]

    def restore_then_refuse(call: Any, params: dict[str, Any]) -> Any:
        restore(call, params)
        raise refusal("TableAlreadyExistsException")

    account.instead["RestoreTableToPointInTime"] = restore_then_refuse
    assert past.run().code == 0
    assert len(all_rows(past.table)) == 3


def test_restore_reads_all_pages_of_the_copy(account: Account, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    past = past_of_emptied_table(account, user)
    with monkeypatch.context() as small:
        small.setattr(moto_table, "RESULT_SIZE_LIMIT", 300)
        result = past.run()
    assert result.code == 0, result.err
    assert any("ExclusiveStartKey" in params for params in account.calls_of("Scan"))
    assert len(all_rows(past.table)) == 60
    assert "Rows restored: 60, of them 20 items." in result.err
