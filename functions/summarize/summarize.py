"""Summarize function: write three bullets and one insight for the intent and the profile."""

from typing import Any

from readdo.engine import engine_factory
from readdo.read import run_steps
from readdo.runtime import redact_errors


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return run_steps.carry_out(event, "summary", produce)


def produce(work: run_steps.StepContext) -> run_steps.StepResult:
    text = work.payload("extraction")["normalized_text"]
    profile = work.field("profile")
    engine = engine_factory.for_owner(work.table, work.run.owner)
    payload = engine.summarize(
        intent=work.intent, text=text, title=work.field("title"), profile=profile, language=work.field("language")
    )
    return run_steps.StepResult(payload, f"summary.{profile}.v1", engine.VERSION, text=text, meta=engine.meta)
