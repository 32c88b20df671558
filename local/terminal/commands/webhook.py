"""`readdo webhook`: add, list, test, pause and remove webhooks, and list their deliveries."""

from collections.abc import Sequence

import click

from terminal import api
from terminal.command import verb
from terminal.failures import FAILED, MISSING, CommandFailure
from terminal.screen import Screen, print_tabs
from terminal.session import Session, put_json
from terminal.words import STATUSES, Row

EVENTS = (*STATUSES, "DELETED", "*")
_COLOURS = {"ACTIVE": "green", "DELIVERED": "green", "WAITING": "yellow", "PAUSED": "yellow"}
_POLLS, _PAUSE = 20, 1.0  # polls and seconds between them; a test's first try ends within that time


@click.group("webhook")
def webhook() -> None:
    """Send a request to your URL when an item changes.

    Each request is signed with a secret and retried until your server responds with 2xx. docs/api.md shows how to
    verify the signature.
    """


@verb("add")
@click.argument("address")
@click.option(
    "--event",
    "events",
    multiple=True,
    type=click.Choice(EVENTS, case_sensitive=False),
    metavar="STATUS",
    help="Events to send: ready, failed_*, shipped, deleted …; repeatable.  [all]",
)
@click.pass_obj
def add(session: Session, address: str, events: tuple[str, ...]) -> int:
    """Add a webhook for a URL and print its secret. It is shown only once."""
    response = session.api.post("/webhooks", {"url": address, "events": list(events) or ["*"]})
    if session.json:
        put_json(response.raw)
        return 0
    hook = response.data["webhook"]
    if not hook.get("secret"):
        raise CommandFailure(
            "The webhook was added, but its secret was lost with the connection.",
            f"Remove it, then add it again: readdo webhook remove {hook['id']}",
        )
    click.echo(hook["secret"])
    session.note(f"Save it now: it is not shown again. Test it: readdo webhook test {hook['id']}")
    return 0


@verb("list")
@click.pass_obj
def listed(session: Session) -> None:
    """List the webhooks, without their secrets."""
    session.tell(session.api.get("/webhooks"), lambda data: _show(session.screen, data["webhooks"]))


@verb("test")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def test(session: Session, webhook_id: str) -> int:
    """Send a test event and print the result."""
    base = _path(session, webhook_id)
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


@verb("deliveries")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def deliveries(session: Session, webhook_id: str) -> None:
    """List the recent deliveries, newest first, with the responses."""
    response = session.api.get(_path(session, webhook_id, "deliveries"))
    session.tell(response, lambda data: _show_deliveries(session.screen, data["deliveries"]))


@verb("redeliver")
@click.argument("webhook_id", metavar="ID")
@click.argument("delivery_id", metavar="DELIVERY")
@click.pass_obj
def redeliver(session: Session, webhook_id: str, delivery_id: str) -> None:
    """Send a delivery again, with all its retries."""
    response = session.api.post(_path(session, webhook_id, "deliveries", delivery_id, "redeliver"))
    queued = f"Queued. See the result: readdo webhook deliveries {webhook_id}"
    session.tell(response, lambda _: session.note(queued))


@verb("pause")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def pause(session: Session, webhook_id: str) -> None:
    """Pause a webhook. Events during the pause are not sent later."""
    _change(session, webhook_id, paused=True)


@verb("resume")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def resume(session: Session, webhook_id: str) -> None:
    """Resume a webhook that is paused or disabled."""
    _change(session, webhook_id, paused=False)


@verb("remove")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def remove(session: Session, webhook_id: str) -> None:
    """Remove a webhook and its deliveries."""
    response = session.api.delete(_path(session, webhook_id))
    session.tell(response, lambda _: session.note(f"Removed: {webhook_id}."))


def _show(screen: Screen, webhooks: Sequence[Row]) -> None:
    last = [(",".join(hook["events"]), hook["url"], hook.get("problem", "")) for hook in webhooks]
    _table(screen, [[hook["id"], hook["status"], *cells] for hook, cells in zip(webhooks, last, strict=True)])


def _show_deliveries(screen: Screen, rows: Sequence[Row]) -> None:
    last = [(row.get("attempts") or [{}])[-1].get("message", "") for row in rows]
    fields = ("id", "status", "event", "created_at")
    _table(screen, [[*(row[name] for name in fields), message] for row, message in zip(rows, last, strict=True)])


def _table(screen: Screen, rows: list[list[str]]) -> None:
    if screen.columns is None:
        print_tabs(rows)
        return
    rest = ["  ".join(part for part in row[2:] if part) for row in rows]
    ids = [[(row[0], "bold"), (row[1], _COLOURS.get(row[1], "red"))] for row in rows]
    screen.table([[*first, last] for first, last in zip(ids, rest, strict=True)], fixed=2)


def _path(session: Session, name: str, *parts: str) -> str:
    """Return the API path of the webhook whose id is or ends with the given text."""
    ids = [str(hook["id"]) for hook in session.api.get("/webhooks").data["webhooks"]]
    matches = [hook_id for hook_id in ids if hook_id.endswith(name.upper())] if name else []
    if len(matches) != 1:
        message = f"More than one webhook id ends in {name}." if matches else f"Webhook {name} was not found."
        raise CommandFailure(message, "List your webhooks: readdo webhook list", exit_code=MISSING, code="NOT_FOUND")
    return api.at("webhooks", matches[0], *parts)


def _change(session: Session, name: str, *, paused: bool) -> None:
    response = session.api.patch(_path(session, name), {"paused": paused}, "")
    session.tell(response, lambda data: _show(session.screen, [data["webhook"]]))


for each in (add, listed, test, deliveries, redeliver, pause, resume, remove):
    webhook.add_command(each)
