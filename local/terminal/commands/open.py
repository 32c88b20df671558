"""Go to where an item comes from."""

import sys
from urllib.parse import urlsplit

import click

from terminal import names
from terminal.command import item_argument, verb
from terminal.failures import missing
from terminal.session import Session, put_json


@verb("open")
@item_argument
@click.option("--print", "only_print", is_flag=True, help="Only print the link.")
@click.pass_obj
def command(session: Session, name: str, only_print: bool) -> int:
    """Print the link an item comes from, and open it in the browser if there is a screen for one."""
    from terminal import api  # noqa: PLC0415 - not for --help

    item_id = names.find(session.api, name)
    answer = session.api.get(api.item(item_id))
    link = str(answer.data["item"].get("url", ""))
    # A link comes from whoever captured it; a browser would run or read what other schemes name.
    if urlsplit(link).scheme.lower() not in ("http", "https"):
        raise missing("This item has no link: its text was pasted.", f"Read it: readdo show {name} --only extraction")
    if session.json:
        put_json(answer.raw)
        return 0
    click.echo(link)
    if not only_print and _has_screen(session):
        session.outside.browse(link)
    return 0


def _has_screen(session: Session) -> bool:
    environ = session.outside.environ
    return sys.platform in ("darwin", "win32") or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
