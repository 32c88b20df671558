"""`readdo ship`: mark an item as shipped."""

import click

from terminal.command import item_argument, verb
from terminal.session import Session


@verb("ship")
@item_argument
@click.pass_obj
def command(session: Session, name: str) -> int:
    """Mark an item as shipped: you have published or used it. An export does this automatically."""
    from terminal import item_moves  # noqa: PLC0415 - not for --help

    return item_moves.make(session, name, "ship")
