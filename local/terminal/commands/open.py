"""`readdo open`: open an item's link."""

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
    """Print an item's link, and open it in the browser if there is a display."""
    from terminal import api  # noqa: PLC0415 - not for --help

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
