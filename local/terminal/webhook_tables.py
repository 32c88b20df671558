"""Webhooks and their deliveries, as tables; and what is asked of one by its id, or the end of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from terminal import api
from terminal.failures import FAILED, MISSING, CommandFailure
from terminal.screen import Screen
from terminal.session import Session, put_json
from terminal.text import cut, pad

_ID = 26
_COLOURS = {"ACTIVE": "green", "DELIVERED": "green", "WAITING": "yellow", "PAUSED": "yellow"}
_LOOKS, _PAUSE = 20, 1.0  # a test's first try is over within so many seconds, or is tried again later


def show(screen: Screen, found: Sequence[Mapping[str, Any]]) -> None:
    for hook in found:
        row = [str(hook["id"]), str(hook["status"]), ",".join(hook["events"]), str(hook["url"])]
        _row(screen, [*row, str(hook.get("problem", ""))], row[1])


def show_deliveries(screen: Screen, found: Sequence[Mapping[str, Any]]) -> None:
    for one in found:
        last = (one.get("attempts") or [{}])[-1]
        row = [str(one["id"]), str(one["status"]), str(one["event"]), str(one["created_at"])]
        _row(screen, [*row, str(last.get("message", ""))], row[1])


def _row(screen: Screen, row: Sequence[str], status: str) -> None:
    if screen.columns is None:
        click.echo("\t".join(row))
        return
    rest = cut("  ".join(part for part in row[2:] if part), screen.columns - _ID - 13)
    screen.line((pad(row[0], _ID + 2), "bold"), (pad(cut(status, 9), 11), _COLOURS.get(status, "red")), rest)


def path(session: Session, given: str, *parts: str) -> str:
    """Of the webhook whose id this is, or ends so."""
    ids = [str(hook["id"]) for hook in session.api.get("/webhooks").data["webhooks"]]
    found = [hook_id for hook_id in ids if hook_id.endswith(given.upper())] if given else []
    if len(found) != 1:
        words = f"More than one webhook ends in {given}." if found else f"There is no webhook {given}."
        raise CommandFailure(words, "See which there are: readdo webhook list", exit_code=MISSING, code="NOT_FOUND")
    return api.at("webhooks", found[0], *parts)


def do(session: Session, given: str, *parts: str) -> int:
    answer = session.api.post(path(session, given, *parts))
    if session.json:
        put_json(answer.raw)
    else:
        session.note(f"On its way. What becomes of it: readdo webhook deliveries {given}")
    return 0


def change(session: Session, given: str, *, paused: bool) -> int:
    answer = session.api.patch(path(session, given), {"paused": paused}, "")
    session.tell(answer, lambda data: show(session.screen, [data["webhook"]]))
    return 0


def test(session: Session, given: str) -> int:
    """0 if it has arrived."""
    where = path(session, given)
    begun = session.api.post(f"{where}/test").data["delivery"]["id"]
    for _ in range(_LOOKS):
        answer = session.api.get(f"{where}/deliveries")
        (found,) = (one for one in answer.data["deliveries"] if one["id"] == begun)
        if found["attempts"]:
            break
        session.outside.sleep(_PAUSE)
    if session.json:
        put_json({"delivery": next(one for one in answer.raw["deliveries"] if one["id"] == begun)})
    else:
        last = found["attempts"][-1]["message"] if found["attempts"] else "Nothing is known of it yet."
        session.note(f"{'Arrived' if found['status'] == 'DELIVERED' else 'Not arrived'}: {last}")
    return 0 if found["status"] == "DELIVERED" else FAILED
