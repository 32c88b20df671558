"""Forget a rerun that failed."""

import click

from terminal.command import item_argument, verb
from terminal.session import Session


@verb("keep")
@item_argument
@click.pass_obj
def command(session: Session, name: str) -> int:
    """Forget a rerun that failed, and go on with what was there before it."""
    from terminal import item_moves  # noqa: PLC0415 - not for --help

    return item_moves.make(session, name, "keep")
