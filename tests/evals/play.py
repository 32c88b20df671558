"""Run one case through the four steps and judge the results."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from readdo.errors import StepFailed

from . import lead3
from .engines import Engine
from .recall import Recall, recall
from .rubric import CHECKS, Case, Finding, Level, Results, judge

_HONEST = "the engine fails honestly"


@dataclass(frozen=True)
class Outcome:
    case: Case
    results: Results | None
    failed: str
    """Step, error code and message, if the engine produced no result."""
    findings: tuple[Finding, ...]
    facts: Recall | None = None
    facts_of_lead: Recall | None = None

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
        outcomes.append(_run_case(engine, case))
    return list(_compare_intents(outcomes))


def _run_case(engine: Engine, case: Case) -> Outcome:
    expected = str(case.expect.get("fails", ""))
    try:
        results = _run_steps(engine, case)
    except _Stopped as stopped:
        why = "" if stopped.code == expected else f"no result: {stopped.line}"
        # A missing result cannot be judged. It fails, unless the case expects this failure.
        rest = {check.level: Finding(check.level, _HONEST, why) for check in CHECKS}
        return Outcome(case, None, stopped.line, tuple(rest.values()))
    if expected:
        return Outcome(
            case, results, "", (Finding("P0", _HONEST, f"expected {expected}, but the engine produced a result"),)
        )
    first = lead3.summarize(text=case.text)
    return Outcome(case, results, "", tuple(judge(case, results)), recall(case, results.summary), recall(case, first))


def _run_steps(engine: Engine, case: Case) -> Results:
    common = {"intent": case.intent, "title": case.title, "language": case.language}
    profile = {"profile": engine.profile}
    summary = _step("summarize", engine.steps.summarize, text=case.text, **common, **profile)
    score = _step("score", engine.steps.score, text=case.text, summary=summary, **common)
    todos = _step("todos", engine.steps.todos, summary=summary, score=score, **common, **profile)
    card = _step("card", engine.steps.card, summary=summary, score=score, todos=todos, **common)
    return Results(summary, score, todos, card)


def _step(name: str, step: Callable[..., dict[str, Any]], **inputs: Any) -> dict[str, Any]:
    try:
        return step(**inputs)
    except StepFailed as failed:
        raise _Stopped(name, failed.code, failed.message) from failed
    except Exception as error:  # a crash on one case is a result; the other cases still run
        raise _Stopped(name, type(error).__name__, str(error)) from error


def _compare_intents(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """Require that a text scores clearly higher for its own intent than for a foreign one."""
    by_id = {outcome.case.id: outcome for outcome in outcomes}
    for outcome in by_id.values():
        rule = outcome.case.expect.get("outscores") or {}
        other = by_id.get(str(rule.get("id", "")))
        if outcome.results and other and other.results:
            ahead = outcome.results.score["match_score"] - other.results.score["match_score"]
            why = "" if ahead >= rule["by"] else f"{ahead:.1f} ahead of {other.case.id}; at least {rule['by']} expected"
            yield replace(outcome, findings=(*outcome.findings, Finding("P1", "outscores a foreign intent", why)))
        else:
            yield outcome
