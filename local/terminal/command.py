"""Base class, shared options, argument types and tab completion of the `readdo` commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from terminal.session import Session, Surroundings
from terminal.text import cut
from terminal.words import OPEN, Row, short, task_title, title_of

F = TypeVar("F", bound=Callable[..., Any])
SECONDS, OFFERED = 0.7, 50  # of a tab completion
PROFILES = click.Choice(["engineer", "creator", "manager"])
_SHARED: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--json",), {"is_flag": True, "help": "Print the API's response as JSON."}),
    (("--quiet", "-q"), {"is_flag": True, "help": "Print only the result, no messages."}),
    (("--no-color", "plain"), {"is_flag": True, "help": "Print without colours (same as NO_COLOR=1)."}),
    (("--url",), {"metavar": "URL", "help": "Address of Read→Do, instead of READDO_URL."}),
    (("--token",), {"metavar": "TOKEN", "help": "Token to use, instead of READDO_TOKEN."}),
)


def session_of(ctx: click.Context) -> Session:
    root = ctx.find_root()
    if not isinstance(root.obj, Session):
        root.obj = Session(root.obj or Surroundings())
        root.call_on_close(root.obj.close)
    session: Session = root.obj
    return session


def _remember(ctx: click.Context, option: click.Parameter, value: Any) -> None:
    if value and option.name:
        setattr(session_of(ctx), option.name, value)


def shared(own_names: set[str]) -> list[click.Parameter]:
    """Return the shared options whose names the command does not use itself."""
    options: list[click.Parameter] = []
    for names, settings in _SHARED:
        free = [name for name in names if name not in own_names]
        if any(name.startswith("--") for name in free):
            options.append(click.Option(free, expose_value=False, callback=_remember, **settings))
    return options


class Verb(click.Command):
    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        own = {name for option in self.params for name in option.opts}
        self._shared = shared(own)
        self.params += self._shared

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the command's own options before the shared ones."""
        own = [option.get_help_record(ctx) for option in self.get_params(ctx) if option not in self._shared]
        shared_records = [option.get_help_record(ctx) for option in self._shared]
        for title, records in (("Options", own), ("Global options", shared_records)):
            if rows := [record for record in records if record]:
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=24)


def verb(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    return click.command(name, cls=Verb, **settings)


class Named(click.ParamType[str]):
    """Parameter type for an id, with its tab completion."""

    def __init__(self, name: str, complete: Callable[[Session, str], list[CompletionItem]]) -> None:
        self.name, self._complete = name, complete

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002 - click's signature
        incomplete: str,
    ) -> list[CompletionItem]:
        try:  # an error message would break the user's prompt
            return self._complete(session_of(ctx), incomplete)
        except Exception:
            return []


def _complete_items(session: Session, prefix: str) -> list[CompletionItem]:
    rows = _rows(session, "items", sort="created_desc", limit=OFFERED)
    return [item for row in rows if (item := _completion(str(row["id"]), title_of(row), prefix.upper()))]


def _complete_tasks(session: Session, prefix: str) -> list[CompletionItem]:
    """Complete open tasks only."""
    rows = _rows(session, "tasks", status=OPEN, limit=OFFERED)
    return [item for row in rows if (item := _completion(str(row["id"]), task_title(row), prefix.lower()))]


def _complete_tokens(session: Session, prefix: str) -> list[CompletionItem]:
    rows = _rows(session, "tokens")
    return [
        CompletionItem(str(row["id"]), help=cut(str(row.get("name", "")), 50))
        for row in rows
        if str(row["id"]).startswith(prefix)
    ]


def _rows(session: Session, name: str, **query: Any) -> list[Row]:
    """Fetch rows with one try and a short timeout."""
    rows: list[Row] = session.connect(tries=1, seconds=SECONDS).get(f"/{name}", query).data[name]
    return rows


def _completion(row_id: str, title: str, typed: str) -> CompletionItem | None:
    names = (name for name in (short(row_id), row_id) if name.startswith(typed))
    return next((CompletionItem(name, help=cut(title, 50)) for name in names), None)


ITEM, TASK, TOKEN = Named("item", _complete_items), Named("task", _complete_tasks), Named("token", _complete_tokens)


def item_argument(function: F) -> F:
    return click.argument("name", metavar="ID", type=ITEM)(function)


def task_argument(function: F) -> F:
    return click.argument("name", metavar="ID", type=TASK)(function)


def items_argument(function: F) -> F:
    return click.argument("item_names", metavar="ID…", type=ITEM, nargs=-1, required=True)(function)


def folder_option(function: F) -> F:
    folder_type = click.Path(file_okay=False, path_type=Path)
    option = click.option("--to", "folder", type=folder_type, default=Path(), help="Folder for the files.  [current]")
    return option(function)


def profile_option(function: F) -> F:
    return click.option("--profile", type=PROFILES, help="Reading profile, from now on.")(function)


def watch_option(function: F) -> F:
    return click.option("--watch", "-w", is_flag=True, help="Wait until processing ends.")(function)
