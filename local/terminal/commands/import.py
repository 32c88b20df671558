"""Bring in what was saved elsewhere."""

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
@click.option("--intent", "-i", metavar="TEXT", help="Why you saved it, for lines without a note of your own.")
@click.option("--no-process", is_flag=True, help="Keep it, and read it only when told to.")
@click.option("--profile", type=click.Choice(["engineer", "creator", "manager"]), help="What summaries look for.")
@click.option("--language", metavar="CODE", help="To write in, such as en or zh; otherwise the intent's.")
@click.option("--no-wait", is_flag=True, help="Print the imports' ids and leave; they go on by themselves.")
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
    """Bring in what was saved elsewhere: Pocket, Instapaper, Omnivore, Karakeep, bookmarks, OPML, lists of links …

    Dates, tags and what was read are kept; pages that you have already are joined. Zips and several parts as they are.
    The same file again brings in nothing twice. How an import stands, and to pause it: readdo imports
    """
    from terminal import import_upload  # noqa: PLC0415 - not for --help

    given = {"intent_text": intent, "profile": profile, "language": language}
    wish = {name: value for name, value in given.items() if value} | ({"process": False} if no_process else {})
    return import_upload.upload_files(session, files, wish, wait=not no_wait)
