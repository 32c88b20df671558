import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cloud import first_settings
from support import template
from support.aws_account import URL, Account
from support.aws_person import User

SAM = """#!/bin/sh
{ for word in "$@"; do printf '%s\\n' "$word"; done; } > "$READDO_ROOT/asked"
env > "$READDO_ROOT/environment"
pwd > "$READDO_ROOT/folder"
exit ${ENDS:-0}
"""
CONFIG = '[readdo.deploy.parameters]\nstack_name = "readdo"\nregion = "eu-central-1"\n'


class FakeSamProject:
    """A built project and a fake `sam` that records its arguments and environment."""

    def __init__(self, user: User, configured: bool = True, built: bool = True) -> None:
        self.user, self.root = user, user.root
        if built:
            (self.root / ".aws-sam/build").mkdir(parents=True)
            (self.root / ".aws-sam/build/template.yaml").touch()
        if configured:
            (self.root / "samconfig.toml").write_text(CONFIG, encoding="utf-8")
        programs = self.root / "bin"
        programs.mkdir()
        (programs / "sam").write_text(SAM, encoding="utf-8")
        (programs / "sam").chmod(0o755)
        user.patch.setenv("PATH", f"{programs}:/usr/bin:/bin")
        user.patch.setenv("READDO_ROOT", str(self.root))

    def run(self, typed: list[str] | None = None, **settings: str) -> Any:
        return self.user.run("deploy", typed=typed, **settings)

    @property
    def sam_arguments(self) -> list[str]:
        return (self.root / "asked").read_text(encoding="utf-8").splitlines()

    @property
    def environment(self) -> list[str]:
        return (self.root / "environment").read_text(encoding="utf-8").splitlines()


COMMON = ["--stack-name", "readdo", "--region", "eu-central-1", "--config-env", "readdo"]


def saved_section(project: FakeSamProject, name: str = "readdo") -> dict[str, Any]:
    document = tomllib.loads((project.root / "samconfig.toml").read_text(encoding="utf-8"))
    return dict(document[name]["deploy"]["parameters"])


def test_first_deploy_saves_the_defaults_for_enter(account: Account, user: User) -> None:
    account.deploy()
    project = FakeSamProject(user, configured=False)
    result = project.run(typed=[""] * 2)
    assert result.code == 0, result.err
    assert project.sam_arguments[:2] == ["deploy", "--stack-name"]
    assert "--guided" not in project.sam_arguments
    assert saved_section(project) == {
        "stack_name": "readdo",
        "region": "eu-central-1",
        "resolve_s3": True,
        "capabilities": "CAPABILITY_IAM",
        "confirm_changeset": True,
        "parameter_overrides": ["Engine=extractive"],
    }


def test_first_deploy_asks_six_questions_and_repeats_those_with_invalid_answers(account: Account, user: User) -> None:
    account.deploy()
    project = FakeSamProject(user, configured=False)
    typed = ["me", "me@example.org", "much", "20", "gpt", "openai", "two words", "gpt-4o-mini", "key", "", "-1", "1000"]
    result = project.run(typed=typed)
    assert result.code == 0, result.err
    assert saved_section(project)["parameter_overrides"] == [
        "AlarmEmail=me@example.org",
        "MonthlyBudget=20",
        "Engine=openai",
        "ModelName=gpt-4o-mini",
        "KeyParameter=/readdo/model-key",
        "DailyTokens=1000",
    ]
    assert len(first_settings.QUESTIONS) == 6


def test_server_without_a_key_and_bedrock_have_no_key_parameter(account: Account, user: User) -> None:
    account.deploy()
    project = FakeSamProject(user, configured=False)
    project.run(typed=["", "openai", "llama", "none", ""])
    assert saved_section(project)["parameter_overrides"] == ["Engine=openai", "ModelName=llama", "DailyTokens=500000"]
    (project.root / "samconfig.toml").unlink()
    project.run(typed=["", "bedrock", "eu.amazon.nova-lite-v1:0", ""])
    assert saved_section(project)["parameter_overrides"][:2] == ["Engine=bedrock", "ModelName=eu.amazon.nova-lite-v1:0"]


def test_answers_of_another_stack_stay(account: Account, user: User) -> None:
    account.deploy("two")
    project = FakeSamProject(user)
    assert project.run(typed=[""] * 2, STACK="two").code == 0
    assert saved_section(project)["stack_name"] == "readdo"
    assert saved_section(project, "two")["stack_name"] == "two"


@pytest.mark.parametrize("question", first_settings.QUESTIONS, ids=lambda question: question.parameter)
def test_template_accepts_the_defaults_of_the_questions(question: Any) -> None:
    parameter = template.source()["Parameters"][question.parameter]
    allowed = parameter.get("AllowedValues", [question.default])
    assert question.default in allowed
    if question.default and "AllowedPattern" in parameter:
        assert re.fullmatch(parameter["AllowedPattern"], question.default)


@pytest.mark.parametrize("typed", [True, False])
def test_later_deploys_use_the_stored_answers(account: Account, user: User, typed: bool) -> None:
    account.deploy()
    project = FakeSamProject(user)
    assert project.run(typed=[] if typed else None).code == 0
    more = ["--no-fail-on-empty-changeset"] + ([] if typed else ["--no-confirm-changeset"])
    assert project.sam_arguments == ["deploy", *COMMON, "--capabilities", "CAPABILITY_IAM", *more]


def test_sam_runs_without_telemetry_in_the_project_and_region(account: Account, user: User) -> None:
    account.deploy()
    project = FakeSamProject(user)
    project.run(AWS_REGION="us-west-2")
    assert "SAM_CLI_TELEMETRY=0" in project.environment
    assert "AWS_REGION=eu-central-1" in project.environment
    assert "AWS_DEFAULT_REGION=eu-central-1" in project.environment
    assert Path((project.root / "folder").read_text(encoding="utf-8").strip()) == project.root.resolve()


def test_another_stack_has_its_own_answers_and_profile(account: Account, user: User, tmp_path: Path) -> None:
    account.deploy("two")
    (tmp_path / "aws-config").write_text("[profile work]\naws_access_key_id=a\naws_secret_access_key=b\n")
    project = FakeSamProject(user)
    result = project.run(typed=[""] * 2, STACK="two", AWS_PROFILE="work")
    assert result.code == 0, result.err
    assert project.sam_arguments[1:7] == ["--stack-name", "two", "--region", "eu-central-1", "--config-env", "two"]
    assert project.sam_arguments[-3:] == ["--profile", "work", "--no-fail-on-empty-changeset"]
    assert saved_section(project, "two")["profile"] == "work"
    assert "make token STACK=two AWS_PROFILE=work" in result.out


def test_deploy_prints_the_address_and_the_next_steps(account: Account, user: User) -> None:
    account.deploy()
    result = FakeSamProject(user).run()
    assert f"Read→Do is deployed at {URL}" in result.out
    assert "make token" in result.out
    assert "local/readdo doctor" in result.out


@pytest.mark.usefixtures("account")
def test_deploy_reports_a_missing_stack(user: User) -> None:
    result = FakeSamProject(user).run()
    assert result.code == 3
    assert "the stack readdo was not found in eu-central-1" in result.err


@pytest.mark.parametrize(("status", "deleted"), [("ROLLBACK_COMPLETE", True), ("UPDATE_ROLLBACK_COMPLETE", False)])
def test_deploy_fails_when_sam_fails(account: Account, user: User, status: str, deleted: bool) -> None:
    account.deploy()
    account.set_status(status)
    result = FakeSamProject(user).run(ENDS="3")
    assert result.code == 1
    assert "sam deploy ended with exit code 3." in result.err
    assert ("make destroy" in result.err) == deleted
    assert "edit samconfig.toml, section readdo" in result.err
    assert result.out == ""


@pytest.mark.usefixtures("account")
def test_deploy_needs_a_build(user: User) -> None:
    project = FakeSamProject(user, built=False)
    result = project.run()
    assert result.code == 3
    assert "make build" in result.err
    assert not (project.root / "asked").exists()


@pytest.mark.usefixtures("account")
def test_deploy_without_sam_is_refused(user: User) -> None:
    project = FakeSamProject(user)
    assert project.run(PATH=str(user.root)).code == 3


def test_new_stack_needs_the_account_number_typed(account: Account, user: User) -> None:
    result = user.run("check", typed=["123456789012"])
    assert result.code == 0
    assert result.err.startswith("AWS account 123456789012, region eu-central-1, as user/moto.\n")
    assert "It will be created with a new, empty table" in result.err
    for answer in ("", "y", "123456789013"):
        assert user.run("check", typed=[answer]).code == 4
    assert account.calls_of("CreateStack") == []


@pytest.mark.usefixtures("account")
def test_existing_settings_without_a_stack_need_a_confirmation(user: User) -> None:
    """samconfig.toml exists but the stack does not: these may be another account's credentials."""
    FakeSamProject(user)
    result = user.run("check")
    assert result.code == 4
    assert "CONFIRM=123456789012" in result.err
    assert user.run("check", CONFIRM="123456789012").code == 0
    assert user.run("check", CONFIRM="000000000000").code == 4


@pytest.mark.parametrize("status", ["CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"])
def test_existing_stack_is_updated_without_a_question(account: Account, user: User, status: str) -> None:
    account.deploy()
    account.set_status(status)
    FakeSamProject(user)
    result = user.run("check")
    assert (result.code, result.out) == (0, "")
    assert "The stack readdo will be updated." in result.err


@pytest.mark.usefixtures("account")
def test_first_deploy_needs_a_terminal(user: User) -> None:
    result = user.run("check", CONFIRM="123456789012")
    assert result.code == 4
    assert "there is no terminal" in result.err


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("UPDATE_IN_PROGRESS", "is being changed"),
        ("ROLLBACK_COMPLETE", "make destroy"),
        ("CREATE_FAILED", "make destroy"),
        ("DELETE_FAILED", "make destroy"),
    ],
)
def test_stack_that_cannot_be_updated_is_reported_before_the_build(
    account: Account, user: User, status: str, words: str
) -> None:
    account.deploy()
    account.set_status(status)
    result = user.run("check", typed=["123456789012"])
    assert result.code == 4
    assert words in result.err
