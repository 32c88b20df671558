"""Try again what failed."""

from pathlib import Path

import click

from terminal import names
from terminal.command import item_argument, verb, watch_option
from terminal.session import Session


@verb("retry")
@item_argument
@click.option("--export", "of_export", is_flag=True, help="The last export that failed, even if the item is fine.")
@watch_option
@click.pass_obj
def command(session: Session, name: str, of_export: bool, watch: bool) -> int:
    """Try again what failed: the reading, or, if that is what failed, the export under its own key.

    To read an item again whose export failed: readdo process ID
    """
    from terminal import api, export_download, item_moves  # noqa: PLC0415 - not for --help

    item_id = names.find(session.api, name)
    found = session.api.get(api.item(item_id))
    if of_export or found.data["item"]["status"] == "FAILED_EXPORT":
        return export_download.again(session, found, Path())
    return item_moves.make(session, item_id, "process", {"mode": "RETRY"}, watch=watch)
