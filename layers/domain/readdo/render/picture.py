"""The card drawn, as a picture and as a PDF of the same look whose text can be searched, copied and read aloud."""

import json
from pathlib import Path
from typing import Any

import typst

from readdo.render import fonts
from readdo.render.drawable_text import UndrawableError
from readdo.render.page import page_data
from readdo.render.render_request import RenderError, RenderRequest

TYPST_VERSION: str = vars(typst)["__version__"]  # the stubs that it ships do not know of it
TEMPLATE = Path(__file__).with_name("card.typ")


def render_png(order: RenderRequest) -> bytes:
    return _drawn(order, "png", ppi=72)


def render_pdf(order: RenderRequest) -> bytes:
    # PDF/UA: typst refuses to make what a screen reader could not follow.
    return _drawn(order, "pdf", pdf_standards="ua-1")


def _drawn(order: RenderRequest, form: str, **how: Any) -> bytes:
    try:
        place = fonts.directory()
        page = page_data(order, fonts.letters(place), form)
        made: Any = typst.compile(TEMPLATE.read_bytes(), **{"format": form, **how, **beside_template(place, page)})
    except fonts.FontMissingError as error:
        raise RenderError(form, "the card's font is not installed here.") from error
    except UndrawableError as error:
        raise RenderError(form, f"no font here has some of its letters ({_named(error)}); replace them.") from error
    except typst.TypstError as error:
        fits = "does not fit" not in error.message
        raise RenderError(form, "it could not be drawn." if fits else "the text is too long for it.") from error
    if not isinstance(made, bytes):
        raise RenderError(form, "the text is too long for it.")
    return made


def _named(lacking: UndrawableError) -> str:
    """By number: the message goes where a user's text must not."""
    codes = [f"U+{ord(char):04X}" for char in str(lacking)]
    return ", ".join(codes[:3]) + ("…" if len(codes) > 3 else "")


def beside_template(place: Path, page: dict[str, Any]) -> dict[str, Any]:
    data = json.dumps(page, ensure_ascii=False, sort_keys=True)
    return {"font_paths": fonts.load(place), "ignore_system_fonts": True, "sys_inputs": {"page": data}}
