"""`readdo import`: import links from other apps."""

from pathlib import Path

import click

from terminal.command import verb
from terminal.session import Session


@verb("import")
@click.argument(
    "files",
    metavar="FILE…",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--intent", "-i", metavar="TEXT", help="Why you saved them, for lines without a note.")
@click.option("--no-process", is_flag=True, help="Save without processing.")
@click.option("--profile", type=click.Choice(["engineer", "creator", "manager"]), help="Reading profile.")
@click.option("--language", metavar="CODE", help="Output language, such as en or zh.  [the intent's]")
@click.option("--no-wait", is_flag=True, help="Print the import ids and exit; imports continue on the server.")
@click.pass_obj
def command(
    session: Session,
    files: tuple[Path, ...],
    intent: str | None,
    no_process: bool,
    profile: str | None,
    language: str | None,
    no_wait: bool,
) -> int:
    """Import from Pocket, Instapaper, Omnivore, Karakeep, bookmarks, OPML or link lists.

    Dates, tags and the read state are kept; pages that you already saved are joined. Zip files and exports in several
    files are supported. Importing the same file again adds nothing twice. List or pause imports: readdo imports
    """
    from terminal import import_upload  # noqa: PLC0415 - not for --help

    values = {"intent_text": intent, "profile": profile, "language": language}
    options = {name: value for name, value in values.items() if value} | ({"process": False} if no_process else {})
    return import_upload.upload_files(session, files, options, wait=not no_wait)
