"""Have an address of yours told when items move."""

import click

from terminal.command import verb
from terminal.failures import CommandFailure
from terminal.session import Session, put_json
from terminal.words import STATUSES

EVENTS = (*STATUSES, "DELETED", "*")


@click.group("webhook")
def command() -> None:
    """Have an address of yours told when items move.

    What is sent is signed with a secret, tried again until it is answered with 2xx, and listed. docs/api.md shows how
    to check the signature.
    """


@verb("add")
@click.argument("address")
@click.option(
    "--event",
    "events",
    multiple=True,
    type=click.Choice(EVENTS, case_sensitive=False),
    metavar="STATUS",
    help="Only these: ready, failed_*, shipped, deleted …; repeatable. Everything, if none is named.",
)
@click.pass_obj
def add(session: Session, address: str, events: tuple[str, ...]) -> int:
    """Add an address and print its secret. It is shown this once, and never again."""
    answer = session.api.post("/webhooks", {"url": address, "events": list(events) or ["*"]})
    if session.json:
        put_json(answer.raw)
        return 0
    hook = answer.data["webhook"]
    if not hook.get("secret"):
        raise CommandFailure(
            "The webhook was added, but the connection broke before its secret came here, and it is told only once.",
            f"Remove it, and add it again: readdo webhook remove {hook['id']}",
        )
    click.echo(hook["secret"])
    session.note(f"Keep it now: it is not shown again. Try it: readdo webhook test {hook['id']}")
    return 0


@verb("list")
@click.pass_obj
def listed(session: Session) -> int:
    """The webhooks there are, without their secrets."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    answer = session.api.get("/webhooks")
    session.tell(answer, lambda data: webhook_tables.show(session.screen, data["webhooks"]))
    return 0


@verb("test")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def test(session: Session, webhook_id: str) -> int:
    """Send it an event that says nothing, and say how that went."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.test(session, webhook_id)


@verb("deliveries")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def deliveries(session: Session, webhook_id: str) -> int:
    """What was sent to it of late, newest first, and what it answered."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    answer = session.api.get(webhook_tables.path(session, webhook_id, "deliveries"))
    session.tell(answer, lambda data: webhook_tables.show_deliveries(session.screen, data["deliveries"]))
    return 0


@verb("redeliver")
@click.argument("webhook_id", metavar="ID")
@click.argument("delivery_id", metavar="DELIVERY")
@click.pass_obj
def redeliver(session: Session, webhook_id: str, delivery_id: str) -> int:
    """Send something once more, with all its tries."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.do(session, webhook_id, "deliveries", delivery_id, "redeliver")


@verb("pause")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def pause(session: Session, webhook_id: str) -> int:
    """Tell it nothing until it is resumed; what happens meanwhile is not told later."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.change(session, webhook_id, paused=True)


@verb("resume")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def resume(session: Session, webhook_id: str) -> int:
    """Tell it again, from now on: after a pause, or when it was disabled."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    return webhook_tables.change(session, webhook_id, paused=False)


@verb("remove")
@click.argument("webhook_id", metavar="ID")
@click.pass_obj
def remove(session: Session, webhook_id: str) -> int:
    """Remove it with its deliveries."""
    from terminal import webhook_tables  # noqa: PLC0415 - not for --help

    answer = session.api.delete(webhook_tables.path(session, webhook_id))
    if session.json:
        put_json(answer.raw)
    else:
        session.note(f"Removed: {webhook_id}.")
    return 0


for each in (add, listed, test, deliveries, redeliver, pause, resume, remove):
    command.add_command(each)
