"""`readdo webhook`: manage webhooks."""

import click

from terminal.command import verb
from terminal.failures import CommandFailure
from terminal.session import Session, put_json
from terminal.words import STATUSES

EVENTS = (*STATUSES, "DELETED", "*")


@click.group("webhook")
def command() -> None:
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
def listed(session: Session) -> int:
    """List the webhooks, without their secrets."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    response = session.api.get("/webhooks")
    session.tell(response, lambda data: webhook_tables.show(session.screen, data["webhooks"]))
    return 0


@verb("test")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def test(session: Session, webhook_id: str) -> int:
    """Send a test event and print the result."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.test(session, webhook_id)


@verb("deliveries")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def deliveries(session: Session, webhook_id: str) -> int:
    """List the recent deliveries, newest first, with the responses."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    response = session.api.get(webhook_tables.path(session, webhook_id, "deliveries"))
    session.tell(response, lambda data: webhook_tables.show_deliveries(session.screen, data["deliveries"]))
    return 0


@verb("redeliver")
@click.argument("webhook_id", metavar="ID")
@click.argument("delivery_id", metavar="DELIVERY")
@click.pass_obj
def redeliver(session: Session, webhook_id: str, delivery_id: str) -> int:
    """Send a delivery again, with all its retries."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.do(session, webhook_id, "deliveries", delivery_id, "redeliver")


@verb("pause")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def pause(session: Session, webhook_id: str) -> int:
    """Pause a webhook. Events during the pause are not sent later."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.change(session, webhook_id, paused=True)


@verb("resume")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def resume(session: Session, webhook_id: str) -> int:
    """Resume a webhook that is paused or disabled."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.change(session, webhook_id, paused=False)


@verb("remove")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def remove(session: Session, webhook_id: str) -> int:
    """Remove a webhook and its deliveries."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    response = session.api.delete(webhook_tables.path(session, webhook_id))
    if session.json:
        put_json(response.raw)
    else:
        session.note(f"Removed: {webhook_id}.")
    return 0


for each in (add, listed, test, deliveries, redeliver, pause, resume, remove):
    command.add_command(each)
