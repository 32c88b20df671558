"""`readdo show`, `open` and `watch`: look at one item."""

import sys
from typing import Any
from urllib.parse import urlsplit

import click

from terminal import api, item_detail, names
from terminal.artifact_output import caption
from terminal.command import item_argument, verb
from terminal.failures import missing
from terminal.item_watch import watch as watch_item
from terminal.session import Session, put_json

PARTS = ("summary", "score", "todos", "card", "extraction")


@verb("show")
@item_argument
@click.option("--only", type=click.Choice(PARTS), help="Show only this part.")
@click.option("--version", type=click.IntRange(1), metavar="N", help="With --only: show this version.")
@click.option("--history", is_flag=True, help="Show the item's history too.")
@click.option("--versions", is_flag=True, help="List all versions too.")
@click.pass_obj
def show(session: Session, name: str, only: str | None, version: int | None, history: bool, versions: bool) -> None:
    """Show an item: intent, summary, score, todos, card, and the next commands."""
    if version and not only:
        raise click.UsageError("--version needs --only, for example: --only summary --version 2")
    item_id = names.find(session.api, name)
    if only and version:
        response = session.api.get(api.item(item_id, "artifacts", only, str(version)))
        session.tell(response, lambda data: _show_part(session, only, data["artifact"]))
        return
    parameters = {"include_history": "true" if history else None, "versions": "true" if versions else None}
    response = session.api.get(api.item(item_id), parameters)
    if only:
        if only not in response.data.get("artifacts", {}):
            status = response.data["item"]["status"]
            raise missing(f"This item has no {only} yet: it is {status}.", f"Show the item: readdo show {name}")
        if session.json:
            put_json(response.raw["artifacts"][only])
        else:
            _show_part(session, only, response.data["artifacts"][only])
        return
    session.tell(response, lambda data: _show_item(session, data))


def _show_part(session: Session, name: str, artifact: dict[str, Any]) -> None:
    item_detail.part(session.screen, name, artifact)
    if name == "card":
        caption(session.screen, artifact["payload"])


def _show_item(session: Session, data: dict[str, Any]) -> None:
    item_detail.show(session.screen, data, session.outside.now())
    if "history" in data:
        item_detail.history(session.screen, data["history"])
    if "versions" in data:
        item_detail.versions(session.screen, data["versions"])


@verb("open")
@item_argument
@click.option("--print", "only_print", is_flag=True, help="Only print the link.")
@click.pass_obj
def open_link(session: Session, name: str, only_print: bool) -> int:
    """Print an item's link, and open it in the browser if there is a display."""
    item_id = names.find(session.api, name)
    response = session.api.get(api.item(item_id))
    link = str(response.data["item"].get("url", ""))
    # The link is untrusted input; other schemes could make the browser run code or read local files.
    if urlsplit(link).scheme.lower() not in ("http", "https"):
        raise missing("This item has no link: its text was pasted.", f"Full text: readdo show {name} --only extraction")
    if session.json:
        put_json(response.raw)
        return 0
    click.echo(link)
    if not only_print and _has_screen(session):
        session.outside.browse(link)
    return 0


def _has_screen(session: Session) -> bool:
    environ = session.outside.environ
    return sys.platform in ("darwin", "win32") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


@verb("watch")
@item_argument
@click.option(
    "--timeout",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Stop watching after this time, with exit code 1.",
)
@click.pass_obj
def watch(session: Session, name: str, timeout: float | None) -> int:
    """Watch an item until processing ends.

    Exit codes: 0 if it is READY or SHIPPED, 1 if it failed, 4 if it is archived or saved without processing. Ctrl-C
    stops watching; processing continues.
    """
    return watch_item(session, names.find(session.api, name), timeout)
