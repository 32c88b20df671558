"""`readdo archive`: archive items."""

import click

from terminal import names
from terminal.command import items_argument, verb
from terminal.session import Session

REASONS = {"done": "USER_ARCHIVE", "failed": "FAILURE_ARCHIVE"}


@verb("archive")
@items_argument
@click.option("--reason", type=click.Choice(list(REASONS)), help="Reason; by default it follows from the status.")
@click.pass_obj
def command(session: Session, item_names: tuple[str, ...], reason: str | None) -> int:
    """Archive items. Nothing is deleted; undo it with `readdo unarchive`."""
    from terminal import batch, item_moves  # noqa: PLC0415 - not for --help

    body = {"reason": REASONS[reason]} if reason else {}
    if len(item_names) == 1:
        return item_moves.make(session, item_names[0], "archive", body)
    return batch.make(session, names.find_all(session.api, item_names), "archive", body)
