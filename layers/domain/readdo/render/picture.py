"""The card as a PNG, and as a PDF of the same look with searchable and accessible text."""

import json
from pathlib import Path
from typing import Any

import typst

from readdo.render import fonts
from readdo.render.drawable_text import UndrawableError
from readdo.render.render_request import RenderError, RenderRequest
from readdo.render.typst_data import page_data

TYPST_VERSION: str = vars(typst)["__version__"]  # missing in typst's type stubs
TEMPLATE = Path(__file__).with_name("card.typ")


def render_png(order: RenderRequest) -> bytes:
    return _compile(order, "png", ppi=72)


def render_pdf(order: RenderRequest) -> bytes:
    # PDF/UA: typst rejects a document that a screen reader cannot read.
    return _compile(order, "pdf", pdf_standards="ua-1")


def _compile(order: RenderRequest, form: str, **how: Any) -> bytes:
    try:
        place = fonts.directory()
        page = page_data(order, fonts.letters(place), form)
        content: Any = typst.compile(TEMPLATE.read_bytes(), **{"format": form, **how, **beside_template(place, page)})
    except fonts.FontMissingError as error:
        raise RenderError(form, "the card's font is not installed here.") from error
    except UndrawableError as error:
        raise RenderError(
            form, f"no font here has some of its letters ({_code_points(error)}); replace them."
        ) from error
    except typst.TypstError as error:
        fits = "does not fit" not in error.message
        raise RenderError(form, "it could not be drawn." if fits else "the text is too long for it.") from error
    if not isinstance(content, bytes):
        raise RenderError(form, "the text is too long for it.")
    return content


def _code_points(lacking: UndrawableError) -> str:
    """Code points instead of characters: the message is logged, and logs must not contain a user's text."""
    codes = [f"U+{ord(char):04X}" for char in str(lacking)]
    return ", ".join(codes[:3]) + ("…" if len(codes) > 3 else "")


def beside_template(place: Path, page: dict[str, Any]) -> dict[str, Any]:
    data = json.dumps(page, ensure_ascii=False, sort_keys=True)
    return {"font_paths": fonts.load(place), "ignore_system_fonts": True, "sys_inputs": {"page": data}}
