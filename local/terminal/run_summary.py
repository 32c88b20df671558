"""How a run ended, in a few lines: what it says if it went well, what to do if it did not."""

from collections.abc import Mapping
from typing import Any

import click

from terminal import detail, explain, words
from terminal.failures import FAILED, REFUSED
from terminal.item_watch import follow
from terminal.session import Session, put_json
from terminal.words import short


def watch(session: Session, item_id: str, patience: float | None = None) -> int:
    """Follow an item to its end; the exit code says which one it came to."""
    try:
        answer = follow(session, item_id, patience)
    except KeyboardInterrupt:
        # Not by the screen: interrupted in the middle of a line, it would say that line once more.
        if not session.quiet and not session.json:
            click.echo(f"It goes on without you: readdo watch {short(item_id)}", err=True)
        raise
    if session.json:
        put_json(answer.raw)
    else:
        _show(session, answer.data)
    return code_of(str(answer.data["item"]["status"]))


def code_of(status: str) -> int:
    if status.startswith("FAILED_"):
        return FAILED
    return REFUSED if status == "ARCHIVED" else 0


def _show(session: Session, found: Mapping[str, Any]) -> None:
    screen, item, now = session.screen, found["item"], session.outside.now()
    detail.header(screen, item, now)
    detail.failure(screen, found.get("failure") or item.get("failure"), now)
    artifacts = found.get("artifacts", {})
    if not words.failed(item) and "summary" in artifacts:
        explain.summary(screen, artifacts["summary"]["payload"])
    if words.failed(item) or item["status"] == "ARCHIVED":
        detail.next_steps(screen, found)
        return
    if item.get("first_reason"):
        screen.heading("Score", f"{item['match_score']:.1f}" if "match_score" in item else "")
        more = f" +{item['more_reasons']} more" if item.get("more_reasons") else ""
        screen.paragraph(str(item["first_reason"]) + more, first="  ")
    screen.blank()
    name = short(item["id"])
    screen.line(("All of it: ", "dim"), f"readdo show {name}", ("   Its card: ", "dim"), f"readdo export {name}")
