"""`readdo keep`: discard a failed rerun."""

import click

from terminal.command import item_argument, verb
from terminal.session import Session


@verb("keep")
@item_argument
@click.pass_obj
def command(session: Session, name: str) -> int:
    """Discard a failed rerun and keep the previous version."""
    from terminal import item_moves  # noqa: PLC0415 - not for --help

    return item_moves.make(session, name, "keep")
