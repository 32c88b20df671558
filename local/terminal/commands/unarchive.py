"""`readdo unarchive`: unarchive items."""

import click

from terminal import names
from terminal.command import items_argument, verb
from terminal.session import Session


@verb("unarchive")
@items_argument
@click.option("--regenerate", is_flag=True, help="Process them again too.")
@click.pass_obj
def command(session: Session, item_names: tuple[str, ...], regenerate: bool) -> int:
    """Unarchive items. Items with complete results become READY; the others are processed again."""
    from terminal import batch, item_moves  # noqa: PLC0415 - not for --help

    body = {"regenerate": True} if regenerate else {}
    if len(item_names) == 1:
        return item_moves.make(session, item_names[0], "unarchive", body)
    return batch.make(session, names.find_all(session.api, item_names), "unarchive", body)
