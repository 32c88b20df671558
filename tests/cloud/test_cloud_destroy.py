"""make destroy: the stack is deleted, the data only with a second confirmation."""

from typing import Any

import pytest

from support.aws_account import Account
from support.aws_person import User, confirm_twice, next_command


@pytest.mark.parametrize("typed", [True, False])
def test_destroy_deletes_the_stack_and_keeps_the_data(account: Account, user: User, typed: bool) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    result = user.run("destroy", typed=["readdo"]) if typed else user.run("destroy", CONFIRM="readdo")
    assert result.code == 0, result.err
    assert account.stacks() == []
    assert account.is_unchanged(outputs)
    assert "Deleted the stack readdo." in result.out
    kept_text = result.err.split("Kept")[1]
    assert all(name in kept_text for name in (outputs["TableName"], outputs["BucketName"]))
    assert "A new deploy does not use them" in kept_text
    assert next_command(outputs) in kept_text


def test_destroy_prints_its_plan_before_the_question(account: Account, user: User) -> None:
    outputs = account.deploy()
    result = user.run("destroy", typed=["no"])
    plan = result.err.split("To delete this stack")[0]
    assert "AWS account 123456789012, region eu-central-1" in plan
    assert "Will be deleted: the stack readdo: 1 resources" in plan
    assert outputs["TableName"] in plan.split("Will be kept, with all data:")[1]


@pytest.mark.parametrize(
    "settings", [{}, {"CONFIRM": "reado"}, {"CONFIRM": "yes"}, {"CONFIRM": "READDO"}, {"CONFIRM": " readdo"}], ids=str
)
def test_wrong_confirmation_changes_nothing(account: Account, user: User, settings: dict[str, Any]) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    result = user.run("destroy", **{**settings, "DATA": "delete", "CONFIRM_DATA": outputs["TableName"]})
    assert result.code == 4
    assert "Nothing was changed." in result.err
    assert account.stacks() == ["readdo"]
    assert account.is_unchanged(outputs)
    assert account.calls_of("DeleteStack") == []


@pytest.mark.parametrize("answer", ["", "y", "yes", "table"])
def test_wrong_word_on_a_terminal_is_refused(account: Account, user: User, answer: str) -> None:
    account.deploy()
    assert user.run("destroy", typed=[answer]).code == 4
    assert account.stacks() == ["readdo"]


def test_end_of_input_is_refused(account: Account, user: User) -> None:
    account.deploy()
    assert user.run("destroy", typed=[]).code == 130
    assert account.stacks() == ["readdo"]


@pytest.mark.parametrize("typed", [True, False])
def test_second_confirmation_deletes_the_data(account: Account, user: User, typed: bool) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    table = outputs["TableName"]
    result = (
        user.run("destroy", typed=["readdo", table], DATA="delete")
        if typed
        else user.run("destroy", **confirm_twice(outputs))
    )
    assert result.code == 0, result.err
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])
    assert f"Deleted the table {table}." in result.out
    assert "with 5 object versions." in result.out
    assert "a last backup of the table for 35 days" in result.err


def test_both_confirmations_are_checked_before_any_deletion(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    one_confirmation: dict[str, Any] = {"DATA": "delete", "CONFIRM": "readdo"}
    for settings in (one_confirmation, {**confirm_twice(outputs), "CONFIRM_DATA": "readdo"}):
        assert user.run("destroy", **settings).code == 4
    assert user.run("destroy", typed=["readdo", "readdo"], DATA="delete").code == 4
    assert account.stacks() == ["readdo"]
    assert account.is_unchanged(outputs)


@pytest.mark.parametrize("data", ["yes", "DELETE", "all"])
def test_only_data_delete_is_accepted(account: Account, user: User, data: str) -> None:
    outputs = account.deploy()
    result = user.run("destroy", **{**confirm_twice(outputs), "DATA": data})
    assert result.code == 2
    assert account.stacks() == ["readdo"]


def test_large_bucket_is_emptied_in_batches(account: Account, user: User) -> None:
    outputs = account.deploy()
    account.fill(outputs, 1203)
    result = user.run("destroy", **confirm_twice(outputs))
    assert result.code == 0, result.err
    assert account.buckets() == []
    batches = [len(params["Delete"]["Objects"]) for params in account.calls_of("DeleteObjects")]
    assert sum(batches) == 1205
    assert max(batches) <= 1000
    assert "1,000 object versions" in result.out
