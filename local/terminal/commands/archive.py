"""Put items away."""

import click

from terminal import names
from terminal.command import items_argument, verb
from terminal.session import Session

REASONS = {"done": "USER_ARCHIVE", "failed": "FAILURE_ARCHIVE"}


@verb("archive")
@items_argument
@click.option("--reason", type=click.Choice(list(REASONS)), help="Why; otherwise it follows from the item's state.")
@click.pass_obj
def command(session: Session, given: tuple[str, ...], reason: str | None) -> int:
    """Put items away. Nothing is lost: `readdo unarchive` brings them back."""
    from terminal import batch, item_moves  # noqa: PLC0415 - not for --help

    body = {"reason": REASONS[reason]} if reason else {}
    if len(given) == 1:
        return item_moves.make(session, given[0], "archive", body)
    return batch.make(session, names.find_all(session.api, given), "archive", body)
