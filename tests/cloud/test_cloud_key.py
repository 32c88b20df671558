import boto3
import pytest
from aws_account import Account
from aws_person import Person

KEY = "sk-abcdefghijklmnop"


def stored(name: str = "/readdo/model-key") -> tuple[str, str]:
    found = boto3.client("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]
    return found["Type"], found["Value"]


@pytest.mark.parametrize("given", [KEY, f"{KEY}\n", f"  {KEY}\r\n"])
@pytest.mark.usefixtures("account")
def test_from_a_pipe_it_is_stored_encrypted_and_never_shown(person: Person, given: str) -> None:
    told = person.run("key", stdin=given)
    assert told.code == 0
    assert stored() == ("SecureString", KEY)
    assert KEY not in told.all
    assert "for KeyParameter: /readdo/model-key" in told.err


@pytest.mark.usefixtures("account")
def test_a_new_one_takes_the_place_of_the_old(person: Person) -> None:
    person.run("key", stdin="the-old-one")
    told = person.run("key", stdin=KEY)
    assert stored() == ("SecureString", KEY)
    assert "in place of the one before (version 2)" in told.out


@pytest.mark.usefixtures("account")
def test_under_another_name(person: Person) -> None:
    assert person.run("key", stdin=KEY, PARAMETER="/my/model").code == 0
    assert stored("/my/model") == ("SecureString", KEY)


@pytest.mark.parametrize("given", ["", "\n", "two words", "one\ntwo-lines", "short", "schlüssel-mit-ü", "x" * 4097])
def test_what_is_no_key_is_not_stored_and_not_repeated(account: Account, person: Person, given: str) -> None:
    told = person.run("key", stdin=given)
    assert told.code == 2
    assert account.called("PutParameter") == []
    assert not given.strip() or given.strip() not in told.all


@pytest.mark.parametrize("name", ["model-key", "/aws/key", "/SSM/key", "/a b", "/", "/a//b", "/a" * 16])
def test_an_odd_name_is_refused_before_the_key_is_asked_for(account: Account, person: Person, name: str) -> None:
    told = person.run("key", stdin=KEY, PARAMETER=name)
    assert (told.code, account.asked) == (2, [])
    assert f"PARAMETER={name}" in told.err


@pytest.mark.parametrize("code", ["HierarchyTypeMismatch", "HierarchyTypeMismatchException"])
def test_a_plain_parameter_of_that_name_is_not_overwritten(account: Account, person: Person, code: str) -> None:
    account.refuse("PutParameter", code)
    told = person.run("key", stdin=KEY)
    assert told.code == 4
    assert "is there already, and is not encrypted" in told.err


def test_a_refusal_does_not_repeat_it(account: Account, person: Person) -> None:
    account.refuse("PutParameter", "ValidationException", f"the value {KEY} is too long")
    told = person.run("key", stdin=KEY)
    assert told.code == 1
    assert KEY not in told.all
