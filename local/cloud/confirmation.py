"""A word that must be typed before something is done; without a terminal it is said beforehand."""

import click

from terminal.failures import REFUSED, CommandFailure
from terminal.session import Session


def confirm(session: Session, variable: str, wanted: str, question: str) -> None:
    given = session.outside.environ.get(variable, "")
    if not given:
        if not session.asks:
            raise CommandFailure(
                f"{question}, it must be confirmed, and there is no terminal to ask in. Nothing was done.",
                f"Say it beforehand: {variable}={wanted}",
                exit_code=REFUSED,
            )
        given = click.prompt(f"{question}, type {wanted}", default="", show_default=False, err=True).strip()
    if given != wanted:
        raise CommandFailure(f"That was {given or 'nothing'}, not {wanted}. Nothing was done.", exit_code=REFUSED)
