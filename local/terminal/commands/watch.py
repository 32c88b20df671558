"""`readdo watch`: wait until an item is processed."""

import click

from terminal import names
from terminal.command import item_argument, verb
from terminal.session import Session


@verb("watch")
@item_argument
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop watching after this time, with exit code 1.",
)
@click.pass_obj
def command(session: Session, name: str, timeout: float | None) -> int:
    """Watch an item until processing ends.

    Exit codes: 0 if it is READY or SHIPPED, 1 if it failed, 4 if it is archived or saved without processing. Ctrl-C
    stops watching; processing continues.
    """
    from terminal import run_summary  # noqa: PLC0415 - not for --help

    return run_summary.watch(session, names.find(session.api, name), timeout)
