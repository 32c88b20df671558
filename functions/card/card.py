"""card: one card that can be shipped, from what the run has made."""

from typing import Any

from readdo.engine import chosen
from readdo.quiet import quietly
from readdo.read import steps


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return steps.carry_out(event, "card", produce)


def produce(work: steps.Work) -> steps.Made:
    engine = chosen.for_owner(work.table, work.run.owner)
    payload = engine.card(
        intent=work.intent,
        summary=work.payload("summary"),
        score=work.payload("score"),
        todos=work.payload("todos"),
        title=work.told("title"),
        language=work.told("language"),
    )
    return steps.Made(payload, "card.v1", engine.VERSION, meta=engine.meta)
