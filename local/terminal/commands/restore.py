"""Bring a backup back: what is there already stays as it is."""

from pathlib import Path

import click

from terminal.command import verb
from terminal.session import Session


@verb("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.pass_obj
def command(session: Session, file: Path) -> int:
    """Bring a backup back, from the zip that `readdo backup` made.

    Items come with their state, versions, history, texts and files. One that is there already is left as it is, so the
    same file twice changes nothing. What was being read when it was taken out rests: start it again yourself.
    """
    from terminal import restore_upload  # noqa: PLC0415 - not for --help

    return restore_upload.restore(session, file)
