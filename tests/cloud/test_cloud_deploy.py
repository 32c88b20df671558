from pathlib import Path
from typing import Any

import pytest
from aws_account import URL, Account
from aws_person import Person

SAM = """#!/bin/sh
{ for word in "$@"; do printf '%s\\n' "$word"; done; } > "$READDO_ROOT/asked"
env > "$READDO_ROOT/environment"
pwd > "$READDO_ROOT/folder"
[ -z "$ANSWERS" ] || printf '%s' "$ANSWERS" > "$READDO_ROOT/samconfig.toml"
exit ${ENDS:-0}
"""
CONFIG = '[readdo.deploy.parameters]\nstack_name = "readdo"\nregion = "eu-central-1"\n'


class Deploying:
    """A project that is built, and in place of SAM a program that writes down what it was asked."""

    def __init__(self, person: Person, configured: bool = True, built: bool = True) -> None:
        self.person, self.root = person, person.root
        if built:
            (self.root / ".aws-sam/build").mkdir(parents=True)
            (self.root / ".aws-sam/build/template.yaml").touch()
        if configured:
            (self.root / "samconfig.toml").write_text(CONFIG, encoding="utf-8")
        programs = self.root / "bin"
        programs.mkdir()
        (programs / "sam").write_text(SAM, encoding="utf-8")
        (programs / "sam").chmod(0o755)
        person.patch.setenv("PATH", f"{programs}:/usr/bin:/bin")
        person.patch.setenv("READDO_ROOT", str(self.root))

    def run(self, typed: list[str] | None = None, **said: str) -> Any:
        return self.person.run("deploy", typed=typed, **said)

    @property
    def asked(self) -> list[str]:
        return (self.root / "asked").read_text(encoding="utf-8").splitlines()

    @property
    def environment(self) -> list[str]:
        return (self.root / "environment").read_text(encoding="utf-8").splitlines()


COMMON = ["--stack-name", "readdo", "--region", "eu-central-1", "--config-env", "readdo"]


def test_the_first_time_sam_asks(account: Account, person: Person) -> None:
    account.deploy()
    deploying = Deploying(person, configured=False)
    told = deploying.run(typed=[])
    assert told.code == 0, told.err
    assert deploying.asked == ["deploy", *COMMON, "--capabilities", "CAPABILITY_IAM", "--guided"]
    assert "It keeps them in samconfig.toml." in told.err


@pytest.mark.parametrize("typed", [True, False])
def test_after_that_it_goes_by_the_answers(account: Account, person: Person, typed: bool) -> None:
    account.deploy()
    deploying = Deploying(person)
    assert deploying.run(typed=[] if typed else None).code == 0
    more = ["--no-fail-on-empty-changeset"] + ([] if typed else ["--no-confirm-changeset"])
    assert deploying.asked == ["deploy", *COMMON, "--capabilities", "CAPABILITY_IAM", *more]


def test_sam_sends_nothing_about_its_use_and_works_where_the_product_is(account: Account, person: Person) -> None:
    account.deploy()
    deploying = Deploying(person)
    deploying.run(AWS_REGION="us-west-2")
    assert "SAM_CLI_TELEMETRY=0" in deploying.environment
    assert "AWS_REGION=eu-central-1" in deploying.environment
    assert "AWS_DEFAULT_REGION=eu-central-1" in deploying.environment
    assert Path((deploying.root / "folder").read_text(encoding="utf-8").strip()) == deploying.root.resolve()


def test_another_stack_has_its_own_answers_and_the_profile_goes_with_it(
    account: Account, person: Person, tmp_path: Path
) -> None:
    account.deploy("two")
    (tmp_path / "aws-config").write_text("[profile work]\naws_access_key_id=a\naws_secret_access_key=b\n")
    deploying = Deploying(person)
    told = deploying.run(typed=[], STACK="two", AWS_PROFILE="work")
    assert told.code == 0, told.err
    assert deploying.asked[1:7] == ["--stack-name", "two", "--region", "eu-central-1", "--config-env", "two"]
    assert deploying.asked[-3:] == ["--profile", "work", "--guided"]
    assert "make token STACK=two AWS_PROFILE=work" in told.out


def test_then_it_says_where_it_is_and_what_is_next(account: Account, person: Person) -> None:
    account.deploy()
    told = Deploying(person).run()
    assert f"Read→Do is at {URL}" in told.out
    assert "make token" in told.out
    assert "local/readdo doctor" in told.out


def test_a_name_given_to_sam_is_the_one_that_is_looked_for(account: Account, person: Person) -> None:
    account.deploy("reading")
    answers = '[readdo.deploy.parameters]\nstack_name = "reading"\nregion = "eu-central-1"\n'
    told = Deploying(person, configured=False).run(typed=[], ANSWERS=answers)
    assert told.code == 0, told.err
    assert URL in told.out


@pytest.mark.usefixtures("account")
def test_a_stack_that_is_not_found_after_is_told(person: Person) -> None:
    told = Deploying(person).run()
    assert told.code == 3
    assert "the stack readdo is not in eu-central-1" in told.err


@pytest.mark.parametrize(("status", "deleted"), [("ROLLBACK_COMPLETE", True), ("UPDATE_ROLLBACK_COMPLETE", False)])
def test_when_sam_fails_it_fails(account: Account, person: Person, status: str, deleted: bool) -> None:
    account.deploy()
    account.in_status(status)
    told = Deploying(person).run(ENDS="3")
    assert told.code == 1
    assert "sam deploy ended with 3." in told.err
    assert ("make destroy" in told.err) == deleted
    assert "change it in samconfig.toml, section readdo" in told.err
    assert told.out == ""


@pytest.mark.usefixtures("account")
def test_what_is_not_built_is_not_deployed(person: Person) -> None:
    deploying = Deploying(person, built=False)
    told = deploying.run()
    assert told.code == 3
    assert "make build" in told.err
    assert not (deploying.root / "asked").exists()


@pytest.mark.usefixtures("account")
def test_no_sam(person: Person) -> None:
    deploying = Deploying(person)
    assert deploying.run(PATH=str(person.root)).code == 3


def test_before_a_new_stack_the_account_is_typed(account: Account, person: Person) -> None:
    told = person.run("check", typed=["123456789012"])
    assert told.code == 0
    assert told.err.startswith("AWS account 123456789012, region eu-central-1, as user/moto.\n")
    assert "a new one, with a new and empty table" in told.err
    for answer in ("", "y", "123456789013"):
        assert person.run("check", typed=[answer]).code == 4
    assert account.called("CreateStack") == []


@pytest.mark.usefixtures("account")
def test_answers_of_another_account_do_not_make_a_stack_here_unasked(person: Person) -> None:
    """samconfig.toml is there, the stack is not: the credentials may be those of another account."""
    Deploying(person)
    told = person.run("check")
    assert told.code == 4
    assert "CONFIRM=123456789012" in told.err
    assert person.run("check", CONFIRM="123456789012").code == 0
    assert person.run("check", CONFIRM="000000000000").code == 4


@pytest.mark.parametrize("status", ["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"])
def test_a_stack_that_is_there_is_updated_without_a_question(account: Account, person: Person, status: str) -> None:
    account.deploy()
    account.in_status(status)
    Deploying(person)
    told = person.run("check")
    assert (told.code, told.out) == (0, "")
    assert "This updates the stack readdo." in told.err


@pytest.mark.usefixtures("account")
def test_the_first_deploy_needs_a_terminal(person: Person) -> None:
    told = person.run("check", CONFIRM="123456789012")
    assert told.code == 4
    assert "there is no terminal to ask in" in told.err


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("UPDATE_IN_PROGRESS", "is being changed"),
        ("ROLLBACK_COMPLETE", "make destroy"),
        ("CREATE_FAILED", "make destroy"),
        ("DELETE_FAILED", "make destroy"),
    ],
)
def test_a_stack_that_cannot_be_updated_is_told_before_anything_is_built(
    account: Account, person: Person, status: str, words: str
) -> None:
    account.deploy()
    account.in_status(status)
    told = person.run("check", typed=["123456789012"])
    assert told.code == 4
    assert words in told.err
