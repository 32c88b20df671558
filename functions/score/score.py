"""score: how well the text serves the intent, with reasons; new is what the owner's last items did not say."""

from typing import Any

from readdo.engine import extractive
from readdo.read import steps
from readdo.store import inbox

RECENT = 10


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return steps.carry_out(event, "score", produce)


def produce(work: steps.Work) -> steps.Made:
    text = work.payload("extraction")["normalized_text"]
    others = inbox.recent(work.table, work.run.owner, RECENT + 1)
    recent = [f"{row.get('title', '')} {row['intent_text']}" for row in others if row["id"] != work.run.item]
    payload = extractive.score(
        intent=work.intent,
        text=text,
        summary=work.payload("summary"),
        recent=recent[:RECENT],
        title=work.told("title"),
        language=work.told("language"),
    )
    return steps.Made(payload, "score.v1", text=text)
