"""`readdo process`: process an item."""

import click

from terminal.command import item_argument, profile_option, verb, watch_option
from terminal.session import Session


@verb("process")
@item_argument
@profile_option
@watch_option
@click.pass_obj
def command(session: Session, name: str, profile: str | None, watch: bool) -> int:
    """Process an item that is not processed or has failed, from the beginning."""
    from terminal import item_moves  # noqa: PLC0415 - not for --help

    body = {"mode": "PROCESS"} | ({"options": {"template_profile": profile}} if profile else {})
    return item_moves.make(session, name, "process", body, watch=watch)
