"""Settings of a first deploy: ask for at most six, and save them in samconfig.toml.

`sam deploy --guided` would ask for every parameter of the template. The others keep their defaults;
samconfig.example.toml shows how to set them.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import click

from cloud.key import PARAMETER
from cloud.stack_location import SETTINGS, Place
from terminal.session import Session

ENGINES = ("extractive", "openai", "bedrock")
Answers = Mapping[str, str]


def _always(_: Answers) -> bool:
    return True


def _has_model(answers: Answers) -> bool:
    return answers["Engine"] != "extractive"


@dataclass(frozen=True)
class SettingQuestion:
    parameter: str  # of the template
    text: str
    default: str
    pattern: str
    problem: str
    applies: Callable[[Answers], bool] = _always


QUESTIONS = (
    SettingQuestion(
        "AlarmEmail",
        "E-mail address for alarms (Enter for none)",
        "",
        r"|[^@\s]+@[^@\s]+\.[^@\s]+",
        "Enter an e-mail address, or nothing.",
    ),
    SettingQuestion(
        "MonthlyBudget",
        "Send an e-mail before the account costs more than this, in US dollars per month (0 for never)",
        "10",
        r"\d{1,7}",
        "Enter a whole number of dollars.",
        lambda answers: bool(answers["AlarmEmail"]),
    ),
    SettingQuestion(
        "Engine",
        f"Engine: {', '.join(ENGINES)} (extractive needs no model)",
        ENGINES[0],
        "|".join(ENGINES),
        f"Enter one of {', '.join(ENGINES)}.",
    ),
    SettingQuestion(
        "ModelName",
        "Name of the model; with bedrock, the ID of a model or of an inference profile",
        "",
        r"(?!arn:)[A-Za-z0-9._:/@+-]+",
        "Enter the model's name. It has no spaces, and is no ARN.",
        _has_model,
    ),
    SettingQuestion(
        "KeyParameter",
        "SSM parameter with the model's key, which `make key` stores (none for a server without a key)",
        PARAMETER,
        r"none|(/[A-Za-z0-9_.-]+)+",
        f"Enter the name of a parameter, such as {PARAMETER}, or none.",
        lambda answers: answers["Engine"] == "openai",
    ),
    SettingQuestion(
        "DailyTokens",
        "Tokens that the model may use per day",
        "500000",
        r"\d{1,12}",
        "Enter a whole number.",
        _has_model,
    ),
)


def save_settings(session: Session, place: Place) -> None:
    """Ask in the terminal, and add the section of the stack to samconfig.toml."""
    session.note(f"Up to {len(QUESTIONS)} questions. Enter accepts the default. Answers are saved in {SETTINGS}.")
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        if question.applies(answers):
            answers[question.parameter] = _ask(session, question)
    file = place.root / SETTINGS
    text = file.read_text(encoding="utf-8").rstrip("\n") + "\n\n" if file.exists() else "version = 0.1\n\n"
    file.write_text(text + _section(place, answers), encoding="utf-8")


def _ask(session: Session, question: SettingQuestion) -> str:
    while True:
        shown = bool(question.default)
        answer = click.prompt(question.text, default=question.default, show_default=shown, err=True).strip()
        if re.fullmatch(question.pattern, answer):
            return "" if answer == "none" else str(answer)
        session.note(question.problem)


def _section(place: Place, answers: Answers) -> str:
    overrides = [f"{name}={value}" for name, value in answers.items() if value]
    settings = {
        "stack_name": place.stack,
        "region": place.region,
        **({"profile": place.profile} if place.profile else {}),
        "resolve_s3": True,
        "capabilities": "CAPABILITY_IAM",
        "confirm_changeset": True,
        "parameter_overrides": overrides,
    }
    # A JSON value of these types is a TOML value, too.
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items()]
    return "\n".join([f"[{place.name}.deploy.parameters]", *lines, ""])
