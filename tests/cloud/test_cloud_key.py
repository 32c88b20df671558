import boto3
import pytest

from support.aws_account import Account
from support.aws_person import User

KEY = "sk-abcdefghijklmnop"


def stored_parameter(name: str = "/readdo/model-key") -> tuple[str, str]:
    parameter = boto3.client("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]
    return parameter["Type"], parameter["Value"]


@pytest.mark.parametrize("entered", [KEY, f"{KEY}\n", f"  {KEY}\r\n"])
@pytest.mark.usefixtures("account")
def test_key_from_a_pipe_is_stored_encrypted_and_not_printed(user: User, entered: str) -> None:
    result = user.run("key", stdin=entered)
    assert result.code == 0
    assert stored_parameter() == ("SecureString", KEY)
    assert KEY not in result.all
    assert "Use it as KeyParameter: /readdo/model-key" in result.err


@pytest.mark.usefixtures("account")
def test_new_key_replaces_the_old_one(user: User) -> None:
    user.run("key", stdin="the-old-one")
    result = user.run("key", stdin=KEY)
    assert stored_parameter() == ("SecureString", KEY)
    assert "replaces the previous one (version 2)" in result.out


@pytest.mark.usefixtures("account")
def test_key_is_stored_under_another_name(user: User) -> None:
    assert user.run("key", stdin=KEY, PARAMETER="/my/model").code == 0
    assert stored_parameter("/my/model") == ("SecureString", KEY)


@pytest.mark.parametrize("entered", ["", "\n", "two words", "one\ntwo-lines", "short", "schlüssel-mit-ü", "x" * 4097])
def test_invalid_key_is_not_stored_and_not_printed(account: Account, user: User, entered: str) -> None:
    result = user.run("key", stdin=entered)
    assert result.code == 2
    assert account.calls_of("PutParameter") == []
    assert not entered.strip() or entered.strip() not in result.all


@pytest.mark.parametrize("name", ["model-key", "/aws/key", "/SSM/key", "/a b", "/", "/a//b", "/a" * 16])
def test_invalid_parameter_name_is_rejected_before_the_prompt(account: Account, user: User, name: str) -> None:
    result = user.run("key", stdin=KEY, PARAMETER=name)
    assert (result.code, account.calls) == (2, [])
    assert f"PARAMETER={name}" in result.err


@pytest.mark.parametrize("code", ["HierarchyTypeMismatch", "HierarchyTypeMismatchException"])
def test_unencrypted_parameter_is_not_overwritten(account: Account, user: User, code: str) -> None:
    account.refuse("PutParameter", code)
    result = user.run("key", stdin=KEY)
    assert result.code == 4
    assert "already exists and is not encrypted" in result.err


def test_aws_error_does_not_print_the_key(account: Account, user: User) -> None:
    account.refuse("PutParameter", "ValidationException", f"the value {KEY} is too long")
    result = user.run("key", stdin=KEY)
    assert result.code == 1
    assert KEY not in result.all
