"""What goes and what stays, and who is asked."""

from typing import Any

import pytest
from aws_account import Account
from aws_person import Person, again, told_twice


@pytest.mark.parametrize("typed", [True, False])
def test_the_stack_goes_and_the_data_stays(account: Account, person: Person, typed: bool) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    told = person.run("destroy", typed=["readdo"]) if typed else person.run("destroy", CONFIRM="readdo")
    assert told.code == 0, told.err
    assert account.stacks() == []
    assert account.is_whole(outputs)
    assert "The stack readdo is deleted." in told.out
    kept = told.err.split("Kept")[1]
    assert all(name in kept for name in (outputs["TableName"], outputs["BucketName"]))
    assert "a new deploy" not in kept and "any new deploy, which starts with a table of its own" in kept
    assert again(outputs) in kept


def test_what_goes_and_what_stays_is_shown_before_the_question(account: Account, person: Person) -> None:
    outputs = account.deploy()
    told = person.run("destroy", typed=["no"])
    plan = told.err.split("To delete this stack")[0]
    assert "AWS account 123456789012, region eu-central-1" in plan
    assert "Goes: the stack readdo: 1 resources" in plan
    assert outputs["TableName"] in plan.split("Stays, with all that is in it:")[1]


@pytest.mark.parametrize(
    "said", [{}, {"CONFIRM": "reado"}, {"CONFIRM": "yes"}, {"CONFIRM": "READDO"}, {"CONFIRM": " readdo"}], ids=str
)
def test_without_the_right_word_nothing_happens(account: Account, person: Person, said: dict[str, Any]) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    told = person.run("destroy", **{**said, "DATA": "delete", "CONFIRM_DATA": outputs["TableName"]})
    assert told.code == 4
    assert "Nothing was done." in told.err
    assert account.stacks() == ["readdo"]
    assert account.is_whole(outputs)
    assert account.called("DeleteStack") == []


@pytest.mark.parametrize("answer", ["", "y", "yes", "table"])
def test_at_a_terminal_another_word_is_a_no(account: Account, person: Person, answer: str) -> None:
    account.deploy()
    assert person.run("destroy", typed=[answer]).code == 4
    assert account.stacks() == ["readdo"]


def test_the_end_of_the_input_is_a_no(account: Account, person: Person) -> None:
    account.deploy()
    assert person.run("destroy", typed=[]).code == 130
    assert account.stacks() == ["readdo"]


@pytest.mark.parametrize("typed", [True, False])
def test_told_twice_the_data_goes_too(account: Account, person: Person, typed: bool) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    table = outputs["TableName"]
    told = (
        person.run("destroy", typed=["readdo", table], DATA="delete")
        if typed
        else person.run("destroy", **told_twice(outputs))
    )
    assert told.code == 0, told.err
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])
    assert f"The table {table} is deleted." in told.out
    assert "with 5 versions of objects." in told.out
    assert "a last backup of the table for 35 days" in told.err


def test_the_second_word_is_asked_for_before_the_first_thing_is_done(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    once: dict[str, Any] = {"DATA": "delete", "CONFIRM": "readdo"}
    for said in (once, {**told_twice(outputs), "CONFIRM_DATA": "readdo"}):
        assert person.run("destroy", **said).code == 4
    assert person.run("destroy", typed=["readdo", "readdo"], DATA="delete").code == 4
    assert account.stacks() == ["readdo"]
    assert account.is_whole(outputs)


@pytest.mark.parametrize("data", ["yes", "DELETE", "all"])
def test_only_one_word_means_the_data(account: Account, person: Person, data: str) -> None:
    outputs = account.deploy()
    told = person.run("destroy", **{**told_twice(outputs), "DATA": data})
    assert told.code == 2
    assert account.stacks() == ["readdo"]


def test_a_large_bucket_is_emptied_page_by_page(account: Account, person: Person) -> None:
    outputs = account.deploy()
    account.fill(outputs, 1203)
    told = person.run("destroy", **told_twice(outputs))
    assert told.code == 0, told.err
    assert account.buckets() == []
    batches = [len(given["Delete"]["Objects"]) for given in account.called("DeleteObjects")]
    assert sum(batches) == 1205
    assert max(batches) <= 1000
    assert "1,000 versions" in told.out
