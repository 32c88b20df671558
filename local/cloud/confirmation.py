"""Confirmation by typing a word; without a terminal, an environment variable holds the word."""

import click

from terminal.failures import REFUSED, CommandFailure
from terminal.session import Session


def confirm(session: Session, variable: str, expected: str, question: str) -> None:
    answer = session.outside.environ.get(variable, "")
    if not answer:
        if not session.can_prompt:
            raise CommandFailure(
                f"{question}, you must confirm it, and there is no terminal. Nothing was changed.",
                f"Confirm with a variable: {variable}={expected}",
                exit_code=REFUSED,
            )
        answer = click.prompt(f"{question}, type {expected}", default="", show_default=False, err=True).strip()
    if answer != expected:
        raise CommandFailure(
            f"You typed {answer or 'nothing'}, not {expected}. Nothing was changed.", exit_code=REFUSED
        )
