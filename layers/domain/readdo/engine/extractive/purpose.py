"""Purpose of an intent, such as build, write or decide, and the tasks that fit it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, NamedTuple

from .clauses import claim
from .language import Language, cue, data

Purpose = Literal["build", "list", "write", "decide", "compare", "learn", "follow", "share"]
Need = Literal["", "advice", "figure", "tradeoff", "risk", "cost"]
OUTPUT_TYPES = frozenset({"WRITE", "BUILD", "SHARE", "DECIDE"})
READING: Final = ""
"""An eta computed from the length of the text."""
TITLE = 140
ASPECTS: tuple[tuple[Need, str, str], ...] = (
    ("advice", "the steps", "做法"),
    ("figure", "the figures", "数字"),
    ("cost", "the costs", "成本"),
    ("risk", "the risks", "风险"),
    ("tradeoff", "the trade-off", "取舍"),
)
# The first cue that fits decides.
_SIGNS: tuple[tuple[Purpose, str], ...] = (
    ("write", "purpose_write_text"),
    ("follow", "purpose_follow"),
    ("share", "purpose_share"),
    ("list", "purpose_list"),
    ("compare", "purpose_compare"),
    ("decide", "purpose_decide"),
    ("learn", "purpose_learn"),
    ("write", "purpose_write"),
    ("build", "purpose_build"),
)
_PLACE = re.compile(r"\{(topic|thing|either|ask|pro|con|aspects|lead)\}")


class Plan(NamedTuple):
    """A possible task. The first wording is used whose placeholders have a value.

    {lead} is a complete claim of the text, {pro} a change in figures, {con} a counterargument. {topic} is the topic of
    the intent, {thing} the topic if it is no question, {either} two alternatives, {ask} the question to decide. The
    plan is omitted if no sentence meets its `need`.
    """

    name: str
    type: str
    eta: str
    need: Need
    en: Sequence[str]
    en_why: str
    zh: Sequence[str]
    zh_why: str


@dataclass(frozen=True)
class TaskWords:
    """Values for the placeholders of tasks."""

    topic: str
    thing: str
    either: str
    ask: str
    pro: str
    con: str
    aspects: str
    language: Language


def purpose_of(intent: str) -> Purpose:
    for kind, sign in _SIGNS:
        pattern = cue(sign)
        # "Learn" counts only at the start: "learn how to draft" is learning.
        if pattern.match(intent) if kind == "learn" else pattern.search(intent):
            return kind
    return "learn"


@cache
def _plans() -> dict[str, Plan]:
    return {name: Plan(name, **row) for name, row in data("tasks")["plans"].items()}


def plans_for(purpose: Purpose, profile: str) -> list[Plan]:
    table = data("tasks")
    names = table["purposes"][purpose]
    if profile == "manager":
        names = table["manager"].get(purpose, names)
    elif profile == "creator" and purpose != "build":
        first, *rest = table["creator"]
        names = [first, *(["next"] if purpose in {"decide", "compare"} else []), *rest]
    return [_plans()[name] for name in names]


def plans_off_topic() -> list[Plan]:
    """Tasks for a text that does not match the intent. They are about the intent."""
    return [_plans()[name] for name in data("tasks")["skipped"]]


def fill_wording(plan: Plan, words: TaskWords, line: str) -> tuple[str, bool]:
    """The first wording whose placeholders have values, and whether it uses the line. Empty if none."""
    for row in plan.zh if words.language == "zh" else plan.en:
        title = _fill(row, words, line)
        if title:
            return title, "{lead}" in row
    return "", False


def _fill(row: str, words: TaskWords, line: str) -> str:
    put = {name: str(getattr(words, name, "")) for name in _PLACE.findall(row) if name != "lead"}
    if not all(put.values()):
        return ""
    if "{lead}" in row:
        lead = claim(line, TITLE - len(_put(row, {**put, "lead": ""})))
        if not lead:
            return ""
        put["lead"] = _inner(lead, words.language)
    title = _put(row, put)
    return title if len(title) <= TITLE else ""


def _put(row: str, put: Mapping[str, str]) -> str:
    """Replace all placeholders in one pass, because an intent may contain braces."""
    return _PLACE.sub(lambda match: put[match.group(1)], row)


def _inner(text: str, language: Language) -> str:
    """Use inner quotation marks within a quotation."""
    marks = "『』『』" if language == "zh" else "‘’‘’"
    text = text.translate(str.maketrans("“”「」", marks))
    while '"' in text:
        text = text.replace('"', marks[0], 1).replace('"', marks[1], 1)
    return text
