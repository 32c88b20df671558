"""Print the result of a run: the summary after success, the next commands after a failure."""

from collections.abc import Mapping
from typing import Any

import click

from terminal import detail, summary_output, words
from terminal.failures import FAILED, REFUSED
from terminal.item_watch import follow
from terminal.session import Session, put_json
from terminal.words import short


def watch(session: Session, item_id: str, patience: float | None = None) -> int:
    """Follow an item until processing ends, and return the exit code of its status."""
    try:
        response = follow(session, item_id, patience)
    except KeyboardInterrupt:
        # Not through the screen: interrupted in the middle of a line, rich would print that line again.
        if not session.quiet and not session.json:
            click.echo(f"Processing continues. Watch it again: readdo watch {short(item_id)}", err=True)
        raise
    if session.json:
        put_json(response.raw)
    else:
        _show(session, response.data)
    return code_of(str(response.data["item"]["status"]))


def code_of(status: str) -> int:
    if status.startswith("FAILED_"):
        return FAILED
    return REFUSED if status == "ARCHIVED" else 0


def _show(session: Session, data: Mapping[str, Any]) -> None:
    screen, item, now = session.screen, data["item"], session.outside.now()
    detail.header(screen, item, now)
    detail.failure(screen, data.get("failure") or item.get("failure"), now)
    artifacts = data.get("artifacts", {})
    if not words.failed(item) and "summary" in artifacts:
        summary_output.summary(screen, artifacts["summary"]["payload"])
    if words.failed(item) or item["status"] == "ARCHIVED":
        detail.next_steps(screen, data)
        return
    if item.get("first_reason"):
        screen.heading("Score", f"{item['match_score']:.1f}" if "match_score" in item else "")
        more = f" +{item['more_reasons']} more" if item.get("more_reasons") else ""
        screen.paragraph(str(item["first_reason"]) + more, first="  ")
    screen.blank()
    name = short(item["id"])
    screen.line(("Show all: ", "dim"), f"readdo show {name}", ("   Create card: ", "dim"), f"readdo export {name}")
