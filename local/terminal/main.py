"""The `readdo` command group: dispatch, error messages and exit codes."""

import importlib
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from click.exceptions import NoSuchCommand

from terminal import VERSION
from terminal.catalog import MODULES, SECTIONS
from terminal.command import session_of, shared
from terminal.failures import INTERRUPTED, CommandFailure
from terminal.session import Session, Surroundings

EPILOG = """\
ID is the short id from `readdo list`, or at least four characters from the beginning or end of an id that match one
item only. @ is the newest item, @2 the one before it.

Exit codes: 0 done, 1 failed, 2 usage error, 3 not found, 4 not possible in the current state, 5 no connection or
server error, 6 not authorised, 130 interrupted.
"""


class Readdo(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in MODULES:
            return None
        module = importlib.import_module(f"terminal.commands.{MODULES[cmd_name]}")
        commands = (value for value in vars(module).values() if isinstance(value, click.Command))
        return next(command for command in commands if command.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in MODULES and not ctx.resilient_parsing:
            raise NoSuchCommand(args[0], possibilities=MODULES, ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        session_of(ctx)
        return super().invoke(ctx)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> NoReturn:
        arguments = list(sys.argv[1:] if args is None else args)
        outside = settings.pop("obj", None) or Surroundings()
        _replace_unprintable_characters()
        try:
            code = super().main(arguments, *rest, **{**settings, "obj": outside, "standalone_mode": False})
        except click.ClickException as error:
            _print_usage_error(error, "--json" in arguments)
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            code = INTERRUPTED
        except Exception as error:
            failure = _to_failure(error, outside)
            _print_failure(failure, arguments, outside)
            code = failure.exit_code
        sys.exit(code if isinstance(code, int) else 0)


def _replace_unprintable_characters() -> None:
    """Print a question mark for each character that the terminal's encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _to_failure(error: Exception, outside: Surroundings) -> CommandFailure:
    if isinstance(error, CommandFailure):
        return error
    if outside.environ.get("READDO_DEBUG"):
        raise error
    if isinstance(error, OSError):
        return CommandFailure(f"System error: {error}.", code="OS_ERROR")
    return CommandFailure(
        f"Unexpected error: {type(error).__name__}: {error}.",
        "Client and server may have different versions. Check: readdo doctor",
        "For a traceback, run it again with READDO_DEBUG=1.",
        code="UNEXPECTED",
    )


def _print_failure(failure: CommandFailure, arguments: Sequence[str], outside: Surroundings) -> None:
    if "--json" in arguments:
        _put_error(failure.error)
        return
    session = Session(outside)
    session.plain = "--no-color" in arguments
    session.notes.paragraph(failure.message, first=("✗ ", "bold red"))
    for step in failure.next_steps:
        session.notes.paragraph(step, first="  ")


def _print_usage_error(error: click.ClickException, as_json: bool) -> None:
    if as_json:
        _put_error({"code": "USAGE", "message": error.format_message(), "details": {}})
    else:
        error.show()


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
    """Read→Do: save less, do more.

    Save a link and why you want to read it; get a summary, a score with reasons, todos and a card to share.
    """
