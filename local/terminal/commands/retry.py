"""`readdo retry`: retry failed processing or a failed export."""

from pathlib import Path

import click

from terminal import names
from terminal.command import item_argument, verb, watch_option
from terminal.session import Session


@verb("retry")
@item_argument
@click.option("--export", "of_export", is_flag=True, help="Retry the last failed export, even if the item is ready.")
@watch_option
@click.pass_obj
def command(session: Session, name: str, of_export: bool, watch: bool) -> int:
    """Retry what failed: the processing, or the export with its own key.

    To process an item again after a failed export: readdo process ID
    """
    from terminal import api, export_download, item_moves  # noqa: PLC0415 - not for --help

    item_id = names.find(session.api, name)
    response = session.api.get(api.item(item_id))
    if of_export or response.data["item"]["status"] == "FAILED_EXPORT":
        return export_download.again(session, response, Path())
    return item_moves.make(session, item_id, "process", {"mode": "RETRY"}, watch=watch)
