"""Which stack, region and credentials a command means."""

from pathlib import Path

import boto3
import pytest
from aws_account import Account
from aws_person import Person

from cloud.stack_location import Place
from terminal.failures import CommandFailure

SETTINGS = """
version = 0.1
[readdo.deploy.parameters]
stack_name = "reading"
region = "eu-north-1"
profile = "home"
[default.global.parameters]
region = "ap-south-1"
[default.deploy.parameters]
stack_name = "second"
"""


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({}, ("readdo", "readdo", "", "")),
        ({"STACK": "mine"}, ("mine", "mine", "", "")),
        ({"AWS_REGION": "us-west-2"}, ("readdo", "readdo", "us-west-2", "")),
        ({"AWS_REGION": "us-west-2", "REGION": "us-east-1"}, ("readdo", "readdo", "us-east-1", "")),
        ({"AWS_PROFILE": "work"}, ("readdo", "readdo", "", "work")),
    ],
    ids=str,
)
def test_what_is_said_counts(tmp_path: Path, said: dict[str, str], found: tuple[str, ...]) -> None:
    place = Place.read(said, tmp_path)
    assert (place.name, place.stack, place.region, place.profile) == found
    assert not place.deployed_before


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({}, ("readdo", "reading", "eu-north-1", "home")),
        ({"AWS_REGION": "us-west-2"}, ("readdo", "reading", "eu-north-1", "home")),
        ({"REGION": "us-west-2", "AWS_PROFILE": "work"}, ("readdo", "reading", "us-west-2", "work")),
        ({"STACK": "reading"}, ("readdo", "reading", "eu-north-1", "home")),
        ({"STACK": "second"}, ("default", "second", "ap-south-1", "")),
    ],
    ids=str,
)
def test_what_was_answered_at_the_first_deploy_counts_after(
    tmp_path: Path, said: dict[str, str], found: tuple[str, ...]
) -> None:
    (tmp_path / "samconfig.toml").write_text(SETTINGS, encoding="utf-8")
    place = Place.read(said, tmp_path)
    assert (place.name, place.stack, place.region, place.profile) == found
    assert place.deployed_before


def test_another_stacks_answers_are_not_this_ones(tmp_path: Path) -> None:
    (tmp_path / "samconfig.toml").write_text(SETTINGS, encoding="utf-8")
    place = Place.read({"STACK": "third"}, tmp_path)
    assert (place.name, place.stack, place.region, place.deployed_before) == ("third", "third", "", False)


def test_settings_that_cannot_be_read_are_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "samconfig.toml").write_text("[half", encoding="utf-8")
    with pytest.raises(CommandFailure, match=r"samconfig\.toml cannot be read"):
        Place.read({}, tmp_path)


@pytest.mark.parametrize("name", ["1st", "a b", "a;b", "a_b", "-a", "a" * 129, "$(id)", "a\n"])
def test_a_name_that_no_stack_has(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandFailure, match="is no name of a stack"):
        Place.read({"STACK": name}, tmp_path)


def test_the_next_command_means_the_same_place(tmp_path: Path) -> None:
    assert Place.read({}, tmp_path).make("token") == "make token"
    said = {"STACK": "two", "REGION": "us-east-1", "AWS_PROFILE": "my work"}
    expected = "make token STACK=two REGION=us-east-1 AWS_PROFILE='my work' DAYS=3"
    assert Place.read(said, tmp_path).make("token", DAYS="3", NAME="") == expected


@pytest.mark.parametrize("command", ["check", "key", "token", "destroy"])
def test_every_command_asks_in_the_region_that_is_said(account: Account, person: Person, command: str) -> None:
    account.deploy()
    told = person.run(command, stdin="a-key-for-a-model", REGION="us-east-1", CONFIRM="readdo")
    assert "region us-east-1" in told.err
    assert account.stacks() == ["readdo"]
    assert (told.code == 0) == (command == "key"), "the stack is in another region"


def test_the_region_of_a_profile_and_its_keys_are_used(person: Person, account: Account, tmp_path: Path) -> None:
    (tmp_path / "aws-config").write_text("[profile work]\nregion = eu-west-3\n", encoding="utf-8")
    keys = "[work]\naws_access_key_id = theirs\naws_secret_access_key = x\n"
    (tmp_path / "aws-credentials").write_text(keys, encoding="utf-8")
    person.patch.delenv("AWS_DEFAULT_REGION")
    told = person.run("token", AWS_PROFILE="work")
    assert told.code == 3
    assert "region eu-west-3" in told.err
    assert boto3.DEFAULT_SESSION.get_credentials().access_key == "theirs", "not those in the environment"
    assert account.called("DescribeStacks")


def test_no_region_anywhere_is_told_before_aws_is_asked(person: Person, account: Account) -> None:
    person.patch.delenv("AWS_DEFAULT_REGION")
    told = person.run("token")
    assert (told.code, account.asked) == (2, [])
    assert "REGION=eu-central-1" in told.err


@pytest.mark.parametrize("region", ["moon", "eu-central", "eu-central-1/x", "EU-CENTRAL-1", "eu-central-1\n"])
def test_what_is_no_region_is_told_before_aws_is_asked(person: Person, account: Account, region: str) -> None:
    told = person.run("token", REGION=region)
    assert (told.code, account.asked) == (2, [])
    assert "is no region of AWS" in told.err
