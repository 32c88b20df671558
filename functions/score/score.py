"""Score function: rate how well the text serves the intent, compared with the owner's recent items."""

from typing import Any

from readdo.engine import engine_factory, extractive
from readdo.read import inbox, run_steps
from readdo.runtime import redact_errors

RECENT = 10


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return run_steps.carry_out(event, "score", produce)


def produce(work: run_steps.StepContext) -> run_steps.StepResult:
    text = work.payload("extraction")["normalized_text"]
    summary = work.payload("summary")
    rows = inbox.recent(work.table, work.run.owner, RECENT + 1)
    other_rows = [row for row in rows if row["id"] != work.run.item and "terms" in row]
    recent = [" ".join((row.get("title", ""), row["intent_text"], *row["terms"])) for row in other_rows]
    engine = engine_factory.for_owner(work.table, work.run.owner)
    payload = engine.score(
        intent=work.intent,
        text=text,
        summary=summary,
        recent=recent[:RECENT],
        title=work.field("title"),
        language=work.field("language"),
    )
    terms = extractive.terms(title=work.field("title"), summary=summary, text=text)
    return run_steps.StepResult(payload, "score.v1", engine.VERSION, text=text, sets={"terms": terms}, meta=engine.meta)
