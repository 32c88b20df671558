"""`readdo export`: create an item's card and download the files."""

from pathlib import Path

import click

from terminal import export_download, names
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
    "format_options",
    multiple=True,
    metavar="FORMAT",
    shell_complete=lambda _ctx, _param, text: _complete_formats(text),
    help="png, md, caption, html, json, pdf; repeatable or comma-separated.  [png,md,caption]",
)
@click.option("--theme", type=click.Choice(list(THEMES)), help="Colours of the card.  [light]")
@click.option("--layout", type=click.Choice(list(LAYOUTS)), help="Shape of the card.  [4x5]")
@folder_option
@click.option("--key", metavar="KEY", help="Key of the export; the same key returns the same files.")
@click.pass_obj
def export(
    session: Session,
    name: str,
    format_options: tuple[str, ...],
    theme: str | None,
    layout: str | None,
    folder: Path,
    key: str | None,
) -> int:
    """Create an item's card and download the files.

    The same request again downloads the existing files. With the --key of an existing export, its files are downloaded,
    and different options are rejected. Existing files are not overwritten: a second card.png is saved as
    "card (2).png".
    """
    formats = _formats(format_options)
    item_id = names.find(session.api, name)
    choices = export_download.ExportChoices(formats, THEMES[theme] if theme else "", LAYOUTS[layout] if layout else "")
    return export_download.download_export(session, item_id, choices, key, folder)


def _formats(options: tuple[str, ...]) -> tuple[str, ...]:
    formats = [part.strip().lower() for text in options for part in text.split(",") if part.strip()]
    for form in formats:
        if form not in FORMATS:
            raise click.BadParameter(f"{form!r} is not one of {', '.join(FORMATS)}.", param_hint="--format")
    return tuple(dict.fromkeys(formats))


def _complete_formats(text: str) -> list[str]:
    """Complete comma-separated formats, without repeating one."""
    before, comma, last = text.rpartition(",")
    used = before.split(",")
    return [before + comma + form for form in FORMATS if form.startswith(last) and form not in used]
