"""The report for machines: all that was made and found, without the texts."""

import json
from typing import Any

from evals.play import Outcome
from evals.recall import Recall

from .run import Run


def as_json(run: Run) -> str:
    told = run.told
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
            run.engine: _share(told, 0),
            "lead_three": _share(told, 1),
            "by_chance": _share(told, 2),
        },
        "cases": [_case(outcome) for outcome in run.outcomes],
    }
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _share(told: tuple[float, float, float] | None, which: int) -> float | None:
    return None if told is None else round(told[which], 3)


def _case(outcome: Outcome) -> dict[str, Any]:
    findings = [{"level": f.level, "check": f.check, "passed": f.passed, "why": f.why} for f in outcome.findings]
    return {
        "id": outcome.case.id,
        "intent_text": outcome.case.intent,
        "passed": {level: outcome.passed(level) for level in ("P0", "P1", "P2")},
        "failed": outcome.failed or None,
        "findings": findings,
        "key_facts": _facts(outcome.told),
        "key_facts_lead_three": _facts(outcome.told_by_lead),
        "artifacts": outcome.made.payloads() if outcome.made else None,
    }


def _facts(found: Recall | None) -> dict[str, Any] | None:
    return {"told": found.told, "of": found.of, "missing": found.missing} if found and found.of else None
