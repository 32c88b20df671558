import json
import re
import shlex
from pathlib import Path
from typing import Any

import boto3
import pytest
from aws_account import URL, Account
from aws_person import Person

from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.web import auth
from terminal import endpoint


def secret_in(out: str) -> str:
    found = re.search(r"^export READDO_TOKEN=(rdo_\S+)$", out, re.MULTILINE)
    assert found, out
    return found[1]


def test_it_opens_the_api_as_its_owner(account: Account, person: Person) -> None:
    table = DynamoTable(account.deploy()["TableName"])
    told = person.run("token", OWNER="anna", NAME="laptop", DAYS="30")
    assert told.code == 0
    for scope in tokens.SCOPES:
        found = auth.bearer(table, {"authorization": f"Bearer {secret_in(told.out)}"}, scope)
        assert found.owner == "anna"
    (listed,) = tokens.list_tokens(table, "anna", clock.now())
    assert listed["name"] == "laptop"
    assert listed["expires_at"] == clock.after(listed["created_at"], 30 * 86_400)
    assert f"good until {listed['expires_at'][:10]}" in told.err


def test_only_its_fingerprint_is_stored(account: Account, person: Person) -> None:
    outputs = account.deploy()
    secret = secret_in(person.run("token").out)
    rows = boto3.client("dynamodb").scan(TableName=outputs["TableName"])["Items"]
    assert len(rows) == 2
    assert secret not in json.dumps(rows)
    assert secret.removeprefix("rdo_") not in json.dumps(rows)


def test_stdout_is_what_a_shell_takes_and_the_terminal_understands(account: Account, person: Person) -> None:
    account.deploy()
    told = person.run("token")
    lines = [shlex.split(line) for line in told.out.splitlines()]
    assert [words[0] for words in lines] == ["export", "export"]
    environ = dict(words[1].split("=", 1) for words in lines)
    found = endpoint.find(environ, Path("/nonexistent"), "", "")
    assert (found.url, found.token) == (URL, secret_in(told.out))
    assert secret_in(told.out) not in told.err


def test_two_are_two(account: Account, person: Person) -> None:
    account.deploy()
    assert secret_in(person.run("token").out) != secret_in(person.run("token").out)


@pytest.mark.parametrize(
    "said",
    [
        {"OWNER": "a#I#b"},
        {"OWNER": "安娜"},
        {"OWNER": "a" * 65},
        {"OWNER": "a\n"},
        {"DAYS": "0"},
        {"DAYS": "3651"},
        {"DAYS": "-1"},
        {"DAYS": "many"},
        {"DAYS": "1.5"},
        {"NAME": "n" * 81},
        {"NAME": " "},
    ],
    ids=str,
)
def test_what_will_not_do_is_refused_before_anything_is_asked(
    account: Account, person: Person, said: dict[str, Any]
) -> None:
    account.deploy()
    account.asked.clear()
    told = person.run("token", **said)
    assert (told.code, told.out, account.asked) == (2, "", [])
    assert f"{next(iter(said))}=" in told.err


def test_without_a_stack_it_says_how_to_make_one(account: Account, person: Person) -> None:
    account.deploy()
    told = person.run("token", STACK="other")
    assert (told.code, told.out) == (3, "")
    assert "There is no stack other in account 123456789012, region eu-central-1." in told.err
    assert "make deploy STACK=other" in told.err


@pytest.mark.parametrize(
    ("status", "words", "code"),
    [
        ("UPDATE_IN_PROGRESS", "is being changed at this moment (UPDATE_IN_PROGRESS)", 4),
        ("DELETE_IN_PROGRESS", "is being changed at this moment (DELETE_IN_PROGRESS)", 4),
        ("REVIEW_IN_PROGRESS", "There is no stack readdo", 3),
        ("ROLLBACK_COMPLETE", "it is not whole", 4),
    ],
)
def test_a_stack_that_is_not_ready_gets_no_token(
    account: Account, person: Person, status: str, words: str, code: int
) -> None:
    table = DynamoTable(account.deploy()["TableName"])
    account.in_status(status)
    told = person.run("token")
    assert (told.code, told.out) == (code, "")
    assert words in told.err
    assert tokens.list_tokens(table, "me", clock.now()) == []


def test_an_owner_with_as_many_as_one_may_have_gets_no_more(
    account: Account, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    account.deploy()
    monkeypatch.setattr(tokens, "TOKENS_MAX", 1)
    assert person.run("token").code == 0
    told = person.run("token")
    assert (told.code, told.out) == (4, "")
    assert "me has 1 tokens already" in told.err


@pytest.mark.parametrize("operation", ["GetCallerIdentity", "DescribeStacks", "Query", "TransactWriteItems"])
def test_without_the_right_it_says_which_is_missing(account: Account, person: Person, operation: str) -> None:
    account.deploy()
    account.refuse(operation, "AccessDeniedException", "User: u is not authorized to do it.")
    told = person.run("token")
    assert (told.code, told.out) == (6, "")
    assert f"These credentials may not do {operation}: User: u is not authorized to do it." in told.err
