"""Todos function: write three to seven todos, at least one of which produces something."""

from typing import Any

from readdo.engine import engine_factory
from readdo.read import run_steps
from readdo.runtime import redact_errors


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return run_steps.carry_out(event, "todos", produce)


def produce(work: run_steps.StepContext) -> run_steps.StepResult:
    engine = engine_factory.for_owner(work.table, work.run.owner)
    payload = engine.todos(
        intent=work.intent,
        summary=work.payload("summary"),
        score=work.payload("score"),
        title=work.field("title"),
        profile=work.field("profile"),
        language=work.field("language"),
    )
    return run_steps.StepResult(payload, "todos.v1", engine.VERSION, meta=engine.meta)
