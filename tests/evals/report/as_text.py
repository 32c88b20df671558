"""The report as text for a terminal."""

from collections.abc import Iterator

from evals.play import Outcome
from evals.rubric import LEVELS

from .run import Run


def as_text(run: Run) -> str:
    width = max(len(outcome.case.id) for outcome in run.outcomes)
    lines = [f"{'case':{width}}  score  priority   P0  P1  P2  key facts"]
    lines += [_row(outcome, width) for outcome in run.outcomes]
    return "\n".join([*lines, "", *_failures(run), *_end(run)]) + "\n"


def short(run: Run) -> str:
    return "\n".join([*_failures(run), *_end(run)]) + "\n"


def _row(outcome: Outcome, width: int) -> str:
    score = outcome.results.score if outcome.results else {}
    marks = "  ".join("ok" if outcome.passed(level) else "✗ " for level in LEVELS)
    facts = f"{outcome.facts.mentioned}/{outcome.facts.of}" if outcome.facts and outcome.facts.of else ""
    score_columns = f"{score.get('match_score', '–'):>5}  {score.get('priority', 'no result'):9}"
    return f"{outcome.case.id:{width}}  {score_columns}  {marks}  {facts}".rstrip()


def _failures(run: Run) -> Iterator[str]:
    for outcome in run.outcomes:
        if outcome.failed:
            # A missing result fails at every level. Report it once.
            yield from (f"   {outcome.case.id}: {one.why}" for one in outcome.wrong("P0"))
            continue
        for level in LEVELS:
            yield from (f"{level} {outcome.case.id}: {one.check}: {one.why}" for one in outcome.wrong(level))
    yield ""


def _end(run: Run) -> Iterator[str]:
    version = run.versions
    yield f"engine {version['engine']} · model {version['model']} · profile {run.profile} · {version['templates']}"
    for row in run.rows:
        verdict = "passed" if row.passed else "FAILED"
        good = row.cases - row.failed
        yield f"{row.level}  {good} of {row.cases} cases ({good / row.cases:.0%}), {row.allowed} may fail: {verdict}"
    if run.facts_mentioned:
        own, lead, chance = run.facts_mentioned
        others = f"lead-three {lead:.0%}, any four sentences {chance:.0%}"
        yield f"key facts mentioned ({run.with_facts} cases): {run.engine} {own:.0%}, {others}"
    yield f"{'PASSED' if run.passed else 'FAILED'} (up to {run.fail_on})"
