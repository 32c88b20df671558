"""`readdo backup`: back up everything as a zip file or as notes."""

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
    help="Write a note for each item into this folder, for example in an Obsidian vault.",
)
@click.option("--fresh", is_flag=True, help="Create a new backup, even if one is less than ten minutes old.")
@click.pass_obj
def command(session: Session, file: Path | None, folder: Path | None, fresh: bool) -> int:
    """Back up everything: items, all artifact versions, history, your texts and exported files.

    Writes one zip: FILE, or readdo-backup-DATE.zip in the current folder. Existing files are not overwritten.

    With --into, writes one note per item. In an existing note, only the part between the marks of Read→Do and the
    status, priority, score and time in the front matter are updated; your own text is kept.
    """
    from terminal import backup_download  # noqa: PLC0415 - not for --help

    if file and folder:
        raise click.UsageError("Use FILE or --into FOLDER, not both.")
    return backup_download.into(session, folder, fresh) if folder else backup_download.to_file(session, file, fresh)
