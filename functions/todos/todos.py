"""todos: three to seven things to do, at least one of which makes something."""

from typing import Any

from readdo.engine import chosen
from readdo.quiet import quietly
from readdo.read import steps


@quietly
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return steps.carry_out(event, "todos", produce)


def produce(work: steps.Work) -> steps.Made:
    engine = chosen.for_owner(work.table, work.run.owner)
    payload = engine.todos(
        intent=work.intent,
        summary=work.payload("summary"),
        score=work.payload("score"),
        title=work.told("title"),
        profile=work.told("profile"),
        language=work.told("language"),
    )
    return steps.Made(payload, "todos.v1", engine.VERSION, meta=engine.meta)
