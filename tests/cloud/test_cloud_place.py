"""The stack, region and credentials that a command uses."""

from pathlib import Path

import boto3
import pytest

from cloud.stack_location import Place
from support.aws_account import Account
from support.aws_person import User
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
    ("settings", "expected"),
    [
        ({}, ("readdo", "readdo", "", "")),
        ({"STACK": "mine"}, ("mine", "mine", "", "")),
        ({"AWS_REGION": "us-west-2"}, ("readdo", "readdo", "us-west-2", "")),
        ({"AWS_REGION": "us-west-2", "REGION": "us-east-1"}, ("readdo", "readdo", "us-east-1", "")),
        ({"AWS_PROFILE": "work"}, ("readdo", "readdo", "", "work")),
    ],
    ids=str,
)
def test_settings_select_the_place(tmp_path: Path, settings: dict[str, str], expected: tuple[str, ...]) -> None:
    place = Place.read(settings, tmp_path)
    assert (place.name, place.stack, place.region, place.profile) == expected
    assert not place.deployed_before


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, ("readdo", "reading", "eu-north-1", "home")),
        ({"AWS_REGION": "us-west-2"}, ("readdo", "reading", "eu-north-1", "home")),
        ({"REGION": "us-west-2", "AWS_PROFILE": "work"}, ("readdo", "reading", "us-west-2", "work")),
        ({"STACK": "reading"}, ("readdo", "reading", "eu-north-1", "home")),
        ({"STACK": "second"}, ("default", "second", "ap-south-1", "")),
    ],
    ids=str,
)
def test_answers_of_the_first_deploy_are_defaults(
    tmp_path: Path, settings: dict[str, str], expected: tuple[str, ...]
) -> None:
    (tmp_path / "samconfig.toml").write_text(SETTINGS, encoding="utf-8")
    place = Place.read(settings, tmp_path)
    assert (place.name, place.stack, place.region, place.profile) == expected
    assert place.deployed_before


def test_answers_of_another_stack_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "samconfig.toml").write_text(SETTINGS, encoding="utf-8")
    place = Place.read({"STACK": "third"}, tmp_path)
    assert (place.name, place.stack, place.region, place.deployed_before) == ("third", "third", "", False)


def test_unreadable_samconfig_is_reported(tmp_path: Path) -> None:
    (tmp_path / "samconfig.toml").write_text("[half", encoding="utf-8")
    with pytest.raises(CommandFailure, match=r"samconfig\.toml cannot be read"):
        Place.read({}, tmp_path)


@pytest.mark.parametrize("name", ["1st", "a b", "a;b", "a_b", "-a", "a" * 129, "$(id)", "a\n"])
def test_invalid_stack_name_is_rejected(tmp_path: Path, name: str) -> None:
    with pytest.raises(CommandFailure, match="is not a valid stack name"):
        Place.read({"STACK": name}, tmp_path)


def test_printed_command_repeats_the_settings(tmp_path: Path) -> None:
    assert Place.read({}, tmp_path).make("token") == "make token"
    settings = {"STACK": "two", "REGION": "us-east-1", "AWS_PROFILE": "my work"}
    expected = "make token STACK=two REGION=us-east-1 AWS_PROFILE='my work' DAYS=3"
    assert Place.read(settings, tmp_path).make("token", DAYS="3", NAME="") == expected


@pytest.mark.parametrize("command", ["check", "key", "token", "destroy"])
def test_every_command_uses_the_given_region(account: Account, user: User, command: str) -> None:
    account.deploy()
    result = user.run(command, stdin="a-key-for-a-model", REGION="us-east-1", CONFIRM="readdo")
    assert "region us-east-1" in result.err
    assert account.stacks() == ["readdo"]
    assert (result.code == 0) == (command == "key"), "the stack is in another region"


def test_region_and_keys_of_the_profile_are_used(user: User, account: Account, tmp_path: Path) -> None:
    (tmp_path / "aws-config").write_text("[profile work]\nregion = eu-west-3\n", encoding="utf-8")
    keys = "[work]\naws_access_key_id = theirs\naws_secret_access_key = x\n"
    (tmp_path / "aws-credentials").write_text(keys, encoding="utf-8")
    user.patch.delenv("AWS_DEFAULT_REGION")
    result = user.run("token", AWS_PROFILE="work")
    assert result.code == 3
    assert "region eu-west-3" in result.err
    assert boto3.DEFAULT_SESSION.get_credentials().access_key == "theirs", "not those in the environment"
    assert account.calls_of("DescribeStacks")


def test_missing_region_is_reported_before_any_call(user: User, account: Account) -> None:
    user.patch.delenv("AWS_DEFAULT_REGION")
    result = user.run("token")
    assert (result.code, account.calls) == (2, [])
    assert "REGION=eu-central-1" in result.err


@pytest.mark.parametrize("region", ["moon", "eu-central", "eu-central-1/x", "EU-CENTRAL-1", "eu-central-1\n"])
def test_invalid_region_is_reported_before_any_call(user: User, account: Account, region: str) -> None:
    result = user.run("token", REGION=region)
    assert (result.code, account.calls) == (2, [])
    assert "is not an AWS region" in result.err
