"""Check what must be right."""

from typing import TYPE_CHECKING

import click

from terminal.command import verb
from terminal.failures import FAILED
from terminal.session import Session, put_json

if TYPE_CHECKING:
    from terminal.checks import Check


@verb("doctor")
@click.pass_obj
def command(session: Session) -> int:
    """Check what must be right for all this to work, and say what to do where it is not.

    Ends with 1 if anything is broken (✗); what is only worth a look (!) does not count.
    """
    from terminal import checks  # noqa: PLC0415 - not for --help

    found = []
    for check in checks.all_of(session):
        found.append(check)
        if not session.json:
            _show(session, check)
    if session.json:
        put_json({"checks": [check.told() for check in found]})
    return FAILED if any(check.ok is False for check in found) else 0


_MARKS = {True: ("✓", "green"), False: ("✗", "bold red"), None: ("!", "yellow")}


def _show(session: Session, check: "Check") -> None:
    mark, colour = _MARKS[check.ok]
    session.screen.paragraph(check.message, first=(f"{mark} {check.name:9} ", colour))
    if check.next:
        session.screen.paragraph(check.next, "dim", first=" " * 12)
