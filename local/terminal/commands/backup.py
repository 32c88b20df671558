"""Take everything out: one zip, or notes in a folder."""

from pathlib import Path

import click

from terminal.command import verb
from terminal.session import Session


@verb("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--into",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a note for each item into this folder, such as one of your Obsidian vault.",
)
@click.option("--fresh", is_flag=True, help="Make another, even if there is one of the last ten minutes.")
@click.pass_obj
def command(session: Session, file: Path | None, folder: Path | None, fresh: bool) -> int:
    """Take everything out: items, artifacts with every version, history, your texts, the files of exports.

    As one zip, into FILE or beside you under a name with its date; nothing of yours is overwritten. With --into: as
    notes. A note that is there keeps every word of yours: only the part between the marks of Read→Do is written anew,
    and of the front matter its status, priority, score and time.
    """
    from terminal import backup_download  # noqa: PLC0415 - not for --help

    if file and folder:
        raise click.UsageError("Give FILE or --into FOLDER, not both.")
    return backup_download.into(session, folder, fresh) if folder else backup_download.to_file(session, file, fresh)
