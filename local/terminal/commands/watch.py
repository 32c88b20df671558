"""Watch an item being read."""

import click

from terminal import names
from terminal.command import item_argument, verb
from terminal.session import Session


@verb("watch")
@item_argument
@click.option("--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="Give up after so long, with code 1.")
@click.pass_obj
def command(session: Session, name: str, timeout: float | None) -> int:
    """Watch an item being read, to its end.

    Ends with 0 if it is READY or SHIPPED, with 1 if it failed, with 4 if it rests or is archived. Ctrl-C stops the
    watching, not the reading.
    """
    from terminal import run_summary  # noqa: PLC0415 - not for --help

    return run_summary.watch(session, names.find(session.api, name), timeout)
