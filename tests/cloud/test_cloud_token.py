import json
import re
import shlex
from pathlib import Path
from typing import Any

import boto3
import pytest

from readdo import clock
from readdo.store import tokens
from readdo.store.table import DynamoTable
from readdo.web import auth
from support.aws_account import URL, Account
from support.aws_person import User
from terminal import endpoint


def secret_in(out: str) -> str:
    match = re.search(r"^export READDO_TOKEN=(rdo_\S+)$", out, re.MULTILINE)
    assert match, out
    return match[1]


def test_token_has_its_owner_scopes_and_expiry(account: Account, user: User) -> None:
    table = DynamoTable(account.deploy()["TableName"])
    result = user.run("token", OWNER="anna", NAME="laptop", DAYS="30")
    assert result.code == 0
    for scope in tokens.SCOPES:
        bearer = auth.bearer(table, {"authorization": f"Bearer {secret_in(result.out)}"}, scope)
        assert bearer.owner == "anna"
    (listed,) = tokens.list_tokens(table, "anna", clock.now())
    assert listed["name"] == "laptop"
    assert listed["expires_at"] == clock.after(listed["created_at"], 30 * 86_400)
    assert f"valid until {listed['expires_at'][:10]}" in result.err


def test_only_the_hash_of_the_token_is_stored(account: Account, user: User) -> None:
    outputs = account.deploy()
    secret = secret_in(user.run("token").out)
    rows = boto3.client("dynamodb").scan(TableName=outputs["TableName"])["Items"]
    assert len(rows) == 2
    assert secret not in json.dumps(rows)
    assert secret.removeprefix("rdo_") not in json.dumps(rows)


def test_stdout_can_be_evaluated_by_a_shell(account: Account, user: User) -> None:
    account.deploy()
    result = user.run("token")
    lines = [shlex.split(line) for line in result.out.splitlines()]
    assert [words[0] for words in lines] == ["export", "export"]
    environ = dict(words[1].split("=", 1) for words in lines)
    location = endpoint.find(environ, Path("/nonexistent"), "", "")
    assert (location.url, location.token) == (URL, secret_in(result.out))
    assert secret_in(result.out) not in result.err


def test_each_token_is_different(account: Account, user: User) -> None:
    account.deploy()
    assert secret_in(user.run("token").out) != secret_in(user.run("token").out)


@pytest.mark.parametrize(
    "settings",
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
def test_invalid_token_settings_are_rejected_before_any_call(
    account: Account, user: User, settings: dict[str, Any]
) -> None:
    account.deploy()
    account.calls.clear()
    result = user.run("token", **settings)
    assert (result.code, result.out, account.calls) == (2, "", [])
    assert f"{next(iter(settings))}=" in result.err


def test_token_without_a_stack_advises_a_deploy(account: Account, user: User) -> None:
    account.deploy()
    result = user.run("token", STACK="other")
    assert (result.code, result.out) == (3, "")
    assert "The stack other was not found in account 123456789012, region eu-central-1." in result.err
    assert "make deploy STACK=other" in result.err


@pytest.mark.parametrize(
    ("status", "words", "code"),
    [
        ("UPDATE_IN_PROGRESS", "is being changed (UPDATE_IN_PROGRESS)", 4),
        ("DELETE_IN_PROGRESS", "is being changed (DELETE_IN_PROGRESS)", 4),
        ("REVIEW_IN_PROGRESS", "The stack readdo was not found", 3),
        ("ROLLBACK_COMPLETE", "is incomplete", 4),
    ],
)
def test_token_is_refused_for_a_stack_that_is_not_ready(
    account: Account, user: User, status: str, words: str, code: int
) -> None:
    table = DynamoTable(account.deploy()["TableName"])
    account.set_status(status)
    result = user.run("token")
    assert (result.code, result.out) == (code, "")
    assert words in result.err
    assert tokens.list_tokens(table, "me", clock.now()) == []


def test_token_limit_is_reported(account: Account, user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    account.deploy()
    monkeypatch.setattr(tokens, "TOKENS_MAX", 1)
    assert user.run("token").code == 0
    result = user.run("token")
    assert (result.code, result.out) == (4, "")
    assert "me already has 1 tokens" in result.err


@pytest.mark.parametrize("operation", ["GetCallerIdentity", "DescribeStacks", "Query", "TransactWriteItems"])
def test_missing_permission_is_named(account: Account, user: User, operation: str) -> None:
    account.deploy()
    account.refuse(operation, "AccessDeniedException", "User: u is not authorized to do it.")
    result = user.run("token")
    assert (result.code, result.out) == (6, "")
    assert f"These credentials do not allow {operation}: User: u is not authorized to do it." in result.err
