"""`readdo restore`: restore a backup."""

from pathlib import Path

import click

from terminal.command import verb
from terminal.session import Session


@verb("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_obj
def command(session: Session, file: Path) -> int:
    """Restore a backup from a zip file of `readdo backup`.

    Restores items with their status, versions, history, texts and files. Existing items are not changed, so restoring
    the same file twice is safe. Items that were processing during the backup are restored unprocessed: run `readdo
    process ID` for them.
    """
    from terminal import restore_upload  # noqa: PLC0415 - not for --help

    return restore_upload.restore(session, file)
