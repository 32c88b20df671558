"""Bring items back."""

import click

from terminal import names
from terminal.command import items_argument, verb
from terminal.session import Session


@verb("unarchive")
@items_argument
@click.option("--regenerate", is_flag=True, help="And read them anew.")
@click.pass_obj
def command(session: Session, given: tuple[str, ...], regenerate: bool) -> int:
    """Bring items back: READY if what was made of them is whole, else they are read again."""
    from terminal import batch, item_moves  # noqa: PLC0415 - not for --help

    body = {"regenerate": True} if regenerate else {}
    if len(given) == 1:
        return item_moves.make(session, given[0], "unarchive", body)
    return batch.make(session, names.find_all(session.api, given), "unarchive", body)
