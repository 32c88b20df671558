"""The report as JSON: all results and findings, without the texts."""

import json
from typing import Any

from evals.play import Outcome
from evals.recall import Recall

from .run import Run


def as_json(run: Run) -> str:
    shares = run.facts_mentioned
    value = {
        "passed": run.passed,
        "fail_on": run.fail_on,
        "engine": run.engine,
        "profile": run.profile,
        "versions": dict(run.versions),
        "levels": {
            row.level: {"cases": row.cases, "failed": row.failed, "may_fail": row.allowed, "passed": row.passed}
            for row in run.rows
        },
        "key_facts_told": {
            "cases": run.with_facts,
            run.engine: _share(shares, 0),
            "lead_three": _share(shares, 1),
            "by_chance": _share(shares, 2),
        },
        "cases": [_case(outcome) for outcome in run.outcomes],
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _share(shares: tuple[float, float, float] | None, index: int) -> float | None:
    return None if shares is None else round(shares[index], 3)


def _case(outcome: Outcome) -> dict[str, Any]:
    findings = [{"level": f.level, "check": f.check, "passed": f.passed, "why": f.why} for f in outcome.findings]
    return {
        "id": outcome.case.id,
        "intent_text": outcome.case.intent,
        "passed": {level: outcome.passed(level) for level in ("P0", "P1", "P2")},
        "failed": outcome.failed or None,
        "findings": findings,
        "key_facts": _facts(outcome.facts),
        "key_facts_lead_three": _facts(outcome.facts_of_lead),
        "artifacts": outcome.results.payloads() if outcome.results else None,
    }


def _facts(recall: Recall | None) -> dict[str, Any] | None:
    return {"told": recall.mentioned, "of": recall.of, "missing": recall.missing} if recall and recall.of else None
