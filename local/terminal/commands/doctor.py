"""`readdo doctor`: check the installation and the connection."""

from typing import TYPE_CHECKING

import click

from terminal.command import verb
from terminal.failures import FAILED
from terminal.session import Session, put_json

if TYPE_CHECKING:
    from terminal.doctor_checks import Check


@verb("doctor")
@click.pass_obj
def command(session: Session) -> int:
    """Check the installation and the connection, with a next step for each problem.

    The exit code is 1 if a check failed (✗); warnings (!) do not count.
    """
    from terminal import doctor_checks  # noqa: PLC0415 - not for --help

    results = []
    for check in doctor_checks.all_of(session):
        results.append(check)
        if not session.json:
            _show(session, check)
    if session.json:
        put_json({"checks": [check.as_dict() for check in results]})
    return FAILED if any(check.ok is False for check in results) else 0


_MARKS = {True: ("✓", "green"), False: ("✗", "bold red"), None: ("!", "yellow")}


def _show(session: Session, check: "Check") -> None:
    mark, colour = _MARKS[check.ok]
    session.screen.paragraph(check.message, first=(f"{mark} {check.name:9} ", colour))
    if check.next:
        session.screen.paragraph(check.next, "dim", first=" " * 12)
