"""Dispatch of the cloud commands, with error messages and exit codes."""

import io
import sys
from collections.abc import Callable, Mapping, Sequence

import click

from cloud import check, deploy, destroy, key, restore, token
from cloud.failures import to_failure
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


def main(arguments: Sequence[str], outside: Surroundings | None = None) -> int:
    if sys.stdin is None:  # closed by the caller: treated as empty input
        sys.stdin = io.StringIO()
    session = Session(outside or Surroundings())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(
            stream, "reconfigure"
        ):  # print a question mark for each character that the terminal's encoding lacks
            stream.reconfigure(errors="replace")
    if len(arguments) != 1 or arguments[0] not in COMMANDS:
        session.note(f"Use one of: {', '.join(f'make {name}' for name in COMMANDS if name != 'check')}")
        return 2
    try:
        COMMANDS[arguments[0]](session, Place.read(session.outside.environ, session.outside.root))
    except (click.Abort, KeyboardInterrupt):
        session.note("Interrupted.")
        return INTERRUPTED
    except Exception as error:
        if session.outside.environ.get("READDO_DEBUG"):
            raise
        failure = to_failure(error, again="make deploy" if arguments[0] == "check" else f"make {arguments[0]}")
        session.notes.paragraph(failure.message, first=("✗ ", "bold red"))
        for step in failure.next_steps:
            session.notes.line(f"  {step}")  # not wrapped: it may be a command to copy
        return failure.exit_code
    return 0
