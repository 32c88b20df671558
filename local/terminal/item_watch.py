"""Follow an item until its processing ends, then print the result and the next commands."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click
from rich.text import Text

from terminal import item_detail, time_format, words
from terminal.api import ApiResponse, item
from terminal.artifact_output import summary
from terminal.failures import FAILED, REFUSED, CommandFailure
from terminal.polling import Pause, show_progress
from terminal.screen import meter
from terminal.session import Session
from terminal.words import STEPS, Item, Row, short

# A capture queues its item at once; an item that stays CAPTURED longer was saved with --no-process.
RESTS_AFTER, RESTED_LONG = 2.5, 120.0
RESTS = "This item was saved without processing."
MOVING = ("CAPTURED", "QUEUED", "PROCESSING")


def follow(session: Session, item_id: str, patience: float | None = None) -> ApiResponse:
    """Poll until the item is in no moving state, and return the last response."""
    started = session.outside.now()

    def draw(row: Row) -> Text:
        return bar(row, session.outside.now(), started)

    with show_progress(session, draw, _describe) as show:
        response = session.api.get(item(item_id))
        show(response.data["item"])
        pause = Pause(session.outside.sleep)
        while response.data["item"]["status"] in MOVING:
            _raise_if_waiting_is_useless(session, response, pause.waited, patience)
            pause()
            newer = session.api.get(item(item_id), etag=response.headers.get("ETag", ""))
            if newer.status == 304:
                continue
            if _state_of(newer) != _state_of(response):
                pause.reset()
            response = newer
            show(response.data["item"])
    return response


def _state_of(response: ApiResponse) -> tuple[object, object]:
    row = response.data["item"]
    return row["status"], row.get("progress")


def _raise_if_waiting_is_useless(
    session: Session, response: ApiResponse, waited: float, patience: float | None
) -> None:
    row = response.data["item"]
    name = short(row["id"])
    if patience is not None and waited >= patience:
        raise CommandFailure(
            f"The item is still {row['status']} after {time_format.lasted(waited)}.",
            f"Continue watching: readdo watch {name}",
        )
    if row["status"] == "CAPTURED" and (waited >= RESTS_AFTER or _has_rested_long(session, row)):
        raise CommandFailure(RESTS, f"Process it: readdo process {name} --watch", exit_code=REFUSED, code="AT_REST")


def _has_rested_long(session: Session, row: Item) -> bool:
    changed = time_format.read(row.get("updated_at") or row.get("created_at"))
    return changed is not None and (session.outside.now() - changed).total_seconds() > RESTED_LONG


_BAR = 12


def _describe(item: Item) -> str:
    done, step = _place(item)
    return f"{step} ({done} of {len(STEPS)} done)" if step in STEPS else step


def bar(item: Item, now: datetime, fallback_start: datetime) -> Text:
    done, at = _place(item)
    started = time_format.read((item.get("progress") or {}).get("started_at")) or fallback_start
    line = Text.assemble("  ", *meter(done * _BAR // len(STEPS), _BAR, "green"), f" {done}/{len(STEPS)}  ")
    if at not in STEPS:
        line.append(at, "magenta")
    for place, step in enumerate(STEPS if at in STEPS else ()):
        style = "green" if place < done else "bold magenta" if step == at else "dim"
        line.append(step, style).append(" ")
    return line.append(f" {time_format.ran((now - started).total_seconds())}", "dim")


def _place(item: Item) -> tuple[int, str]:
    """Return the number of finished steps and the current step; outside a run, the status."""
    if item["status"] != "PROCESSING":
        return (len(STEPS) if item["status"] in ("READY", "SHIPPED") else 0), str(item["status"]).lower()
    progress = item.get("progress") or {}
    done = max(0, min(len(STEPS), int(progress.get("done", 0))))
    step = str(progress.get("step") or STEPS[min(done, len(STEPS) - 1)])
    return done, step if step in STEPS else STEPS[min(done, len(STEPS) - 1)]


def watch(session: Session, item_id: str, patience: float | None = None) -> int:
    """Follow an item until processing ends, and return the exit code of its status."""
    try:
        response = follow(session, item_id, patience)
    except KeyboardInterrupt:
        # Not through the screen: interrupted in the middle of a line, rich would print that line again.
        if not session.quiet and not session.json:
            click.echo(f"Processing continues. Watch it again: readdo watch {short(item_id)}", err=True)
        raise
    session.tell(response, lambda data: _show(session, data))
    return code_of(str(response.data["item"]["status"]))


def code_of(status: str) -> int:
    if status.startswith("FAILED_"):
        return FAILED
    return REFUSED if status == "ARCHIVED" else 0


def _show(session: Session, data: Mapping[str, Any]) -> None:
    screen, item, now = session.screen, data["item"], session.outside.now()
    item_detail.header(screen, item, now)
    item_detail.failure(screen, data.get("failure") or item.get("failure"), now)
    artifacts = data.get("artifacts", {})
    if not words.failed(item) and "summary" in artifacts:
        summary(screen, artifacts["summary"]["payload"])
    if words.failed(item) or item["status"] == "ARCHIVED":
        item_detail.next_steps(screen, data)
        return
    if item.get("first_reason"):
        screen.heading("Score", f"{item['match_score']:.1f}" if "match_score" in item else "")
        more = f" +{item['more_reasons']} more" if item.get("more_reasons") else ""
        screen.paragraph(str(item["first_reason"]) + more, first="  ")
    screen.blank()
    name = short(item["id"])
    screen.line(("Show all: ", "dim"), f"readdo show {name}", ("   Create card: ", "dim"), f"readdo export {name}")
