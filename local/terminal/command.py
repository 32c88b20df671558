"""A command of `readdo`: the options that all of them know, before the command's name or after it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from terminal.session import Session, Surroundings

F = TypeVar("F", bound=Callable[..., Any])
_SHARED: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--json",), {"is_flag": True, "help": "The API's answer as it is: one document on stdout."}),
    (("--quiet", "-q"), {"is_flag": True, "help": "Only the result, no notes beside it."}),
    (("--no-color", "plain"), {"is_flag": True, "help": "No colours (as does the variable NO_COLOR)."}),
    (("--url",), {"metavar": "URL", "help": "Where Read→Do is, instead of READDO_URL."}),
    (("--token",), {"metavar": "TOKEN", "help": "The token for it, instead of READDO_TOKEN."}),
)


def session_of(ctx: click.Context) -> Session:
    root = ctx.find_root()
    if not isinstance(root.obj, Session):
        root.obj = Session(root.obj or Surroundings())
        root.call_on_close(root.obj.close)
    found: Session = root.obj
    return found


def _remember(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value and option.name:
        setattr(session_of(ctx), option.name, value)


def shared(taken: set[str]) -> list[click.Parameter]:
    """Those whose names the command does not use for something of its own."""
    found: list[click.Parameter] = []
    for names, settings in _SHARED:
        free = [name for name in names if name not in taken]
        if any(name.startswith("--") for name in free):
            found.append(click.Option(free, expose_value=False, callback=_remember, **settings))
    return found


class Verb(click.Command):
    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        own = {name for option in self.params for name in option.opts}
        self._shared = shared(own)
        self.params += self._shared

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its own options first: they are what one is looking for."""
        shown = [option.get_help_record(ctx) for option in self.get_params(ctx) if option not in self._shared]
        everywhere = [option.get_help_record(ctx) for option in self._shared]
        for title, records in (("Options", shown), ("Everywhere", everywhere)):
            if rows := [record for record in records if record]:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=24)


def verb(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    return click.command(name, cls=Verb, **settings)


class Named(click.ParamType[str]):
    """An id, which the tab key completes by what `terminal.complete` offers under this name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's own form
        incomplete: str,
    ) -> list[CompletionItem]:
        from terminal import complete  # noqa: PLC0415 - only at a press of the tab key

        return complete.OFFERS[self.name](session_of(ctx), incomplete)


ITEM, TASK = Named("item"), Named("task")


def item_argument(function: F) -> F:
    return click.argument("name", metavar="ID", type=ITEM)(function)


def task_argument(function: F) -> F:
    return click.argument("name", metavar="ID", type=TASK)(function)


def items_argument(function: F) -> F:
    return click.argument("given", metavar="ID…", type=ITEM, nargs=-1, required=True)(function)


def folder_option(function: F) -> F:
    there = click.Path(file_okay=False, path_type=Path)
    option = click.option("--to", "folder", type=there, default=Path(), help="The folder for the files.  [here]")
    return option(function)


def profile_option(function: F) -> F:
    kinds = click.Choice(["engineer", "creator", "manager"])
    return click.option("--profile", type=kinds, help="What the summary looks for, from now on.")(function)


def watch_option(function: F) -> F:
    return click.option("--watch", "-w", is_flag=True, help="Go on watching until it is read.")(function)
