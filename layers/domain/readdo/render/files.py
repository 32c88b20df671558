"""Export formats, and the function that renders them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from readdo.render.document import render_json
from readdo.render.markdown import render_caption, render_markdown
from readdo.render.picture import TYPST_VERSION, render_pdf, render_png
from readdo.render.render_request import CardSource, RenderError, RenderRequest
from readdo.render.webpage import render_html

TEMPLATE_VERSION = 3
RENDERER = {"name": "readdo-typst", "version": f"{TEMPLATE_VERSION}+typst-{TYPST_VERSION}"}


class FileFormat(NamedTuple):
    file_name: str
    make: Callable[[RenderRequest], bytes]


class RenderOptions(NamedTuple):
    theme: str | None
    layout: str | None
    source: CardSource
    beside: frozenset[str]


KINDS: dict[str, FileFormat] = {
    "png": FileFormat("card.png", render_png),
    "md": FileFormat("card.md", render_markdown),
    "caption": FileFormat("caption.txt", render_caption),
    "html": FileFormat("card.html", render_html),
    "pdf": FileFormat("card.pdf", render_pdf),
    "json": FileFormat("card.json", render_json),
}
FILE_NAMES = {name: kind.file_name for name, kind in KINDS.items()}


def file_name(format: str) -> str:
    return _kind(format).file_name


def render(
    card: dict[str, Any],
    *,
    formats: Sequence[str],
    theme: str | None = None,
    layout: str | None = None,
    source: CardSource,
    beside: Sequence[str] = (),
) -> dict[str, bytes]:
    """Render each format. `theme` and `layout` override those of the card.

    `beside` has all formats of the export if they are rendered one by one, because the web page refers to the picture.
    If one format fails, the others are still rendered. The RenderError carries them.
    """
    rendered: dict[str, bytes] = {}
    failed: RenderError | None = None
    options = RenderOptions(theme, layout, source, frozenset({*formats, *beside}))
    for name in dict.fromkeys(formats):
        try:
            rendered[name] = _make(name, card, options)
        except RenderError as error:
            failed = failed or error
    if failed:
        failed.made = rendered
        raise failed
    return rendered


def _make(name: str, card: dict[str, Any], options: RenderOptions) -> bytes:
    kind = _kind(name)
    try:
        spec = card["render_spec"]
        theme, layout = options.theme or spec["theme"], options.layout or spec["payload"]["layout"]["variant"]
        return kind.make(RenderRequest(card, options.source, theme, layout, options.beside))
    except (KeyError, TypeError, AttributeError) as error:
        raise RenderError(name, "the card is not whole; make it again.") from error


def _kind(name: str) -> FileFormat:
    try:
        return KINDS[name]
    except KeyError:
        raise RenderError(name, f"there is no such format; there are {', '.join(KINDS)}.") from None
