"""Finds the command, runs it, and turns whatever happens into words and an exit code."""

import io
import sys
from collections.abc import Callable, Mapping, Sequence

import click

from cloud import check, deploy, destroy, key, restore, token
from cloud.failures import in_words
from cloud.stack_location import Place
from terminal.failures import INTERRUPTED
from terminal.session import Session, Surroundings

COMMANDS: Mapping[str, Callable[[Session, Place], None]] = {
    "check": check.run,
    "deploy": deploy.run,
    "key": key.run,
    "token": token.run,
    "destroy": destroy.run,
    "restore": restore.run,
}


def main(given: Sequence[str], outside: Surroundings | None = None) -> int:
    if sys.stdin is None:  # closed by whoever called: then nobody answers, which is no error
        sys.stdin = io.StringIO()
    session = Session(outside or Surroundings())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal that cannot write a character gets a question mark for it
            stream.reconfigure(errors="replace")
    if len(given) != 1 or given[0] not in COMMANDS:
        session.note(f"Which one? {', '.join(f'make {name}' for name in COMMANDS if name != 'check')}")
        return 2
    try:
        COMMANDS[given[0]](session, Place.read(session.outside.environ, session.outside.root))
    except (click.Abort, KeyboardInterrupt):
        session.note("Interrupted.")
        return INTERRUPTED
    except Exception as error:
        if session.outside.environ.get("READDO_DEBUG"):
            raise
        failure = in_words(error, again="make deploy" if given[0] == "check" else f"make {given[0]}")
        session.notes.paragraph(failure.message, first=("✗ ", "bold red"))
        for step in failure.next_steps:
            session.notes.line(f"  {step}")  # whole, for it may be a command that is copied
        return failure.exit_code
    return 0
