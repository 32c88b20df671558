"""Make an item's card and files, and bring them here."""

from pathlib import Path

import click

from terminal import names
from terminal.command import folder_option, item_argument, verb
from terminal.session import Session

FORMATS = ("png", "md", "caption", "html", "json", "pdf")
THEMES = {"light": "LIGHT", "dark": "DARK"}
LAYOUTS = {"4x5": "CARD_4x5_V1", "square": "CARD_1x1_V1"}


@verb("export")
@item_argument
@click.option(
    "--format",
    "-f",
    "given",
    multiple=True,
    metavar="FORMAT",
    shell_complete=lambda _ctx, _param, begun: _offered(begun),
    help="png, md, caption, html, json, pdf; repeatable, or with commas.  [png,md,caption]",
)
@click.option("--theme", type=click.Choice(list(THEMES)), help="Its colours.  [light]")
@click.option("--layout", type=click.Choice(list(LAYOUTS)), help="Its form.  [4x5]")
@folder_option
@click.option("--key", metavar="KEY", help="The export's name; the same key gives the same files, made once.")
@click.pass_obj
def command(
    session: Session,
    name: str,
    given: tuple[str, ...],
    theme: str | None,
    layout: str | None,
    folder: Path,
    key: str | None,
) -> int:
    """Make an item's card and files, and bring them here.

    Asked again for the same, it makes nothing anew. With the --key of an export that is there, its files are fetched as
    they are, and options that do not fit it are refused. No file of yours is overwritten: a second card.png becomes
    "card (2).png".
    """
    from terminal import export_download  # noqa: PLC0415 - not for --help

    formats = _formats(given)
    item_id = names.find(session.api, name)
    wish = export_download.ExportChoices(formats, THEMES[theme] if theme else "", LAYOUTS[layout] if layout else "")
    return export_download.download_export(session, item_id, wish, key, folder)


def _formats(given: tuple[str, ...]) -> tuple[str, ...]:
    asked = [part.strip().lower() for text in given for part in text.split(",") if part.strip()]
    for form in asked:
        if form not in FORMATS:
            raise click.BadParameter(f"{form!r} is none of {', '.join(FORMATS)}.", param_hint="--format")
    return tuple(dict.fromkeys(asked))


def _offered(begun: str) -> list[str]:
    """After a comma, one more; none twice."""
    before, comma, last = begun.rpartition(",")
    taken = before.split(",")
    return [before + comma + form for form in FORMATS if form.startswith(last) and form not in taken]
