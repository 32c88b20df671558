"""Print webhooks and deliveries as tables, and call the API for a webhook named by the end of its id."""

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
_POLLS, _PAUSE = 20, 1.0  # polls and seconds between them; a test's first try ends within that time


def show(screen: Screen, webhooks: Sequence[Mapping[str, Any]]) -> None:
    for hook in webhooks:
        row = [str(hook["id"]), str(hook["status"]), ",".join(hook["events"]), str(hook["url"])]
        _row(screen, [*row, str(hook.get("problem", ""))], row[1])


def show_deliveries(screen: Screen, deliveries: Sequence[Mapping[str, Any]]) -> None:
    for delivery in deliveries:
        last = (delivery.get("attempts") or [{}])[-1]
        row = [str(delivery["id"]), str(delivery["status"]), str(delivery["event"]), str(delivery["created_at"])]
        _row(screen, [*row, str(last.get("message", ""))], row[1])


def _row(screen: Screen, row: Sequence[str], status: str) -> None:
    if screen.columns is None:
        click.echo("\t".join(row))
        return
    rest = cut("  ".join(part for part in row[2:] if part), screen.columns - _ID - 13)
    screen.line((pad(row[0], _ID + 2), "bold"), (pad(cut(status, 9), 11), _COLOURS.get(status, "red")), rest)


def path(session: Session, name: str, *parts: str) -> str:
    """Return the API path of the webhook whose id is or ends with the given text."""
    ids = [str(hook["id"]) for hook in session.api.get("/webhooks").data["webhooks"]]
    matches = [hook_id for hook_id in ids if hook_id.endswith(name.upper())] if name else []
    if len(matches) != 1:
        message = f"More than one webhook id ends in {name}." if matches else f"Webhook {name} was not found."
        raise CommandFailure(message, "List your webhooks: readdo webhook list", exit_code=MISSING, code="NOT_FOUND")
    return api.at("webhooks", matches[0], *parts)


def do(session: Session, name: str, *parts: str) -> int:
    response = session.api.post(path(session, name, *parts))
    if session.json:
        put_json(response.raw)
    else:
        session.note(f"Queued. See the result: readdo webhook deliveries {name}")
    return 0


def change(session: Session, name: str, *, paused: bool) -> int:
    response = session.api.patch(path(session, name), {"paused": paused}, "")
    session.tell(response, lambda data: show(session.screen, [data["webhook"]]))
    return 0


def test(session: Session, name: str) -> int:
    """Send a test event and wait for its first try; the exit code is 0 if it was delivered."""
    base = path(session, name)
    delivery_id = session.api.post(f"{base}/test").data["delivery"]["id"]
    for _ in range(_POLLS):
        response = session.api.get(f"{base}/deliveries")
        (delivery,) = (one for one in response.data["deliveries"] if one["id"] == delivery_id)
        if delivery["attempts"]:
            break
        session.outside.sleep(_PAUSE)
    if session.json:
        put_json({"delivery": next(one for one in response.raw["deliveries"] if one["id"] == delivery_id)})
    else:
        last = delivery["attempts"][-1]["message"] if delivery["attempts"] else "No response yet."
        session.note(f"{'Delivered' if delivery['status'] == 'DELIVERED' else 'Not delivered'}: {last}")
    return 0 if delivery["status"] == "DELIVERED" else FAILED
