"""One case through the four steps, and what the rubric says of it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from readdo.errors import StepFailed

from . import lead3
from .engines import Engine
from .recall import Recall, recall
from .rubric import CHECKS, Case, Finding, Level, Made, judge

_HONEST = "the engine says what it can"


@dataclass(frozen=True)
class Outcome:
    case: Case
    made: Made | None
    failed: str
    """The step, the code and the words, if the engine had nothing to say."""
    findings: tuple[Finding, ...]
    told: Recall | None = None
    told_by_lead: Recall | None = None

    def wrong(self, level: Level) -> list[Finding]:
        return [finding for finding in self.findings if finding.level == level and not finding.passed]

    def passed(self, level: Level) -> bool:
        return not self.wrong(level)


class _Stopped(Exception):
    def __init__(self, step: str, code: str, words: str) -> None:
        super().__init__(words)
        self.code, self.line = code, f"{step}: {code}: {words}"


def play(engine: Engine, cases: list[Case], progress: Callable[[int, str], None]) -> list[Outcome]:
    outcomes = []
    for number, case in enumerate(cases, 1):
        progress(number, case.id)
        outcomes.append(_play_one(engine, case))
    return list(_compared(outcomes))


def _play_one(engine: Engine, case: Case) -> Outcome:
    expected = str(case.expect.get("fails", ""))
    try:
        made = _made(engine, case)
    except _Stopped as stopped:
        why = "" if stopped.code == expected else f"no result: {stopped.line}"
        # What was not made was not judged, and is no pass unless the case is one that cannot be done.
        rest = {check.level: Finding(check.level, _HONEST, why) for check in CHECKS}
        return Outcome(case, None, stopped.line, tuple(rest.values()))
    if expected:
        return Outcome(case, made, "", (Finding("P0", _HONEST, f"{expected} was expected, and it made something up"),))
    first = lead3.summarize(text=case.text)
    return Outcome(case, made, "", tuple(judge(case, made)), recall(case, made.summary), recall(case, first))


def _made(engine: Engine, case: Case) -> Made:
    told = {"intent": case.intent, "title": case.title, "language": case.language}
    profile = {"profile": engine.profile}
    summary = _step("summarize", engine.steps.summarize, text=case.text, **told, **profile)
    score = _step("score", engine.steps.score, text=case.text, summary=summary, **told)
    todos = _step("todos", engine.steps.todos, summary=summary, score=score, **told, **profile)
    card = _step("card", engine.steps.card, summary=summary, score=score, todos=todos, **told)
    return Made(summary, score, todos, card)


def _step(name: str, step: Callable[..., dict[str, Any]], **told: Any) -> dict[str, Any]:
    try:
        return step(**told)
    except StepFailed as failed:
        raise _Stopped(name, failed.code, failed.message) from failed
    except Exception as odd:  # an engine that breaks on one case is a result, and the other cases are still judged
        raise _Stopped(name, type(odd).__name__, str(odd)) from odd


def _compared(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """A text must score clearly higher for the intent that it fits than for a foreign one."""
    known = {outcome.case.id: outcome for outcome in outcomes}
    for outcome in known.values():
        rule = outcome.case.expect.get("outscores") or {}
        other = known.get(str(rule.get("id", "")))
        if outcome.made and other and other.made:
            ahead = outcome.made.score["match_score"] - other.made.score["match_score"]
            why = (
                "" if ahead >= rule["by"] else f"{ahead:.1f} ahead of {other.case.id}, and {rule['by']} would be clear"
            )
            yield replace(outcome, findings=(*outcome.findings, Finding("P1", "outscores a foreign intent", why)))
        else:
            yield outcome
