"""`readdo`: finds the command, runs it, and turns whatever happens into words and an exit code."""

import importlib
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from click.exceptions import NoSuchCommand

from terminal import VERSION
from terminal.catalog import LINES, SECTIONS
from terminal.command import session_of, shared
from terminal.failures import INTERRUPTED, CommandFailure
from terminal.session import Session, Surroundings

EPILOG = """\
An ID is the short one that `list` shows, or any four letters or more of an id's beginning or end that fit one item
only; @ is the newest item, @2 the one before.

Exit codes: 0 done, 1 it failed, 2 not asked rightly, 3 not found, 4 refused as things are, 5 no connection or the
server's fault, 6 not authorised, 130 interrupted.
"""


class Readdo(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own form
        return list(LINES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's own form
        if cmd_name not in LINES:
            return None
        module = importlib.import_module(f"terminal.commands.{cmd_name}")
        found: click.Command = module.command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in LINES and not ctx.resilient_parsing:
            raise NoSuchCommand(args[0], possibilities=LINES, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's own form
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))

    def invoke(self, ctx: click.Context) -> Any:
        session_of(ctx)
        return super().invoke(ctx)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> NoReturn:
        given = list(sys.argv[1:] if args is None else args)
        outside = settings.pop("obj", None) or Surroundings()
        _speak_anyway()
        try:
            code = super().main(given, *rest, **{**settings, "obj": outside, "standalone_mode": False})
        except click.ClickException as wrong:
            _refuse(wrong, "--json" in given)
            code = wrong.exit_code
        except (click.Abort, KeyboardInterrupt):
            code = INTERRUPTED
        except Exception as error:
            failure = _in_words(error, outside)
            _tell(failure, given, outside)
            code = failure.exit_code
        sys.exit(code if isinstance(code, int) else 0)


def _speak_anyway() -> None:
    """A terminal that cannot write a character gets a question mark for it, and the rest."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _in_words(error: Exception, outside: Surroundings) -> CommandFailure:
    if isinstance(error, CommandFailure):
        return error
    if outside.environ.get("READDO_DEBUG"):
        raise error
    if isinstance(error, OSError):
        return CommandFailure(f"This machine refuses: {error}.", code="OS_ERROR")
    return CommandFailure(
        f"readdo met something that it does not understand: {type(error).__name__}: {error}.",
        "The client and the server may be of different versions. `readdo doctor` checks what it can,",
        "and READDO_DEBUG=1 shows where it happened.",
        code="UNEXPECTED",
    )


def _tell(failure: CommandFailure, given: Sequence[str], outside: Surroundings) -> None:
    if "--json" in given:
        _put_error(failure.error)
        return
    session = Session(outside)
    session.plain = "--no-color" in given
    session.notes.paragraph(failure.message, first=("✗ ", "bold red"))
    for step in failure.next_steps:
        session.notes.paragraph(step, first="  ")


def _refuse(wrong: click.ClickException, as_json: bool) -> None:
    if as_json:
        _put_error({"code": "USAGE", "message": wrong.format_message(), "details": {}})
    else:
        wrong.show()


def _put_error(error: Any) -> None:
    click.echo(json.dumps({"error": error}), err=True)


@click.group(
    cls=Readdo,
    epilog=EPILOG,
    params=shared(set()),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(VERSION, "--version", "-V", prog_name="readdo", message="%(prog)s %(version)s")
def readdo() -> None:
    """Read→Do: save less, do more. A link and one line on why go in; a summary, a score with its reasons, todos and a
    card that you can ship come out.
    """
