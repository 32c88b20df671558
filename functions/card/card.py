"""Card function: write the card from the other artifacts of the run."""

from typing import Any

from readdo.engine import engine_factory
from readdo.read import run_steps
from readdo.runtime import redact_errors


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return run_steps.carry_out(event, "card", produce)


def produce(work: run_steps.StepContext) -> run_steps.StepResult:
    engine = engine_factory.for_owner(work.table, work.run.owner)
    payload = engine.card(
        intent=work.intent,
        summary=work.payload("summary"),
        score=work.payload("score"),
        todos=work.payload("todos"),
        title=work.field("title"),
        language=work.field("language"),
    )
    return run_steps.StepResult(payload, "card.v1", engine.VERSION, meta=engine.meta)
