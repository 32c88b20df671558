"""`readdo regenerate`: process an item again."""

import click

from terminal import names, words
from terminal.command import item_argument, profile_option, verb, watch_option
from terminal.failures import CommandFailure
from terminal.session import Session


@verb("regenerate")
@item_argument
@profile_option
@watch_option
@click.pass_obj
def command(session: Session, name: str, profile: str | None, watch: bool) -> int:
    """Process an item again. The current version stays until it is done.

    Parts that you edited stay as they are. To see the new version of them: readdo edit ID --undo
    """
    from terminal import item_moves  # noqa: PLC0415 - not for --help

    body = {"mode": "REGENERATE"} | ({"options": {"template_profile": profile}} if profile else {})
    item_id = names.find(session.api, name)
    try:
        return item_moves.make(session, item_id, "process", body, watch=watch)
    except CommandFailure as refused:
        if refused.details.get("status") == "SHIPPED":
            refused.next_steps = (f"To regenerate it: {words.regenerate_shipped_command(item_id)}", *refused.next_steps)
        raise
