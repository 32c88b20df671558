"""Mark an item shipped."""

import click

from terminal.command import item_argument, verb
from terminal.session import Session


@verb("ship")
@item_argument
@click.pass_obj
def command(session: Session, name: str) -> int:
    """Mark an item shipped: you have made of it what you wanted. An export does this by itself."""
    from terminal import item_moves  # noqa: PLC0415 - not for --help

    return item_moves.make(session, name, "ship")
