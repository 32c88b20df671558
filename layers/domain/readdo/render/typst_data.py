"""Template data of a card. It is passed as JSON, so a user's text cannot be interpreted as typst code."""

import string
from typing import Any
from urllib.parse import quote

from readdo.render import fonts
from readdo.render.drawable_text import UndrawableError, drawable
from readdo.render.embedded_letters import EMBEDDED_LETTERS, MONO, SERIF, SERIF_LETTERS
from readdo.render.escape import one_line, web_address
from readdo.render.labels import do_label
from readdo.render.line_breaks import breakable, longest_pieces
from readdo.render.render_request import RenderRequest
from readdo.render.script_language import language_within


def page_data(order: RenderRequest, known: frozenset[int], form: str) -> dict[str, Any]:
    """The data for the template. Each text is cleaned, breakable, and has its language."""
    palette, (width, height) = order.look(form)
    clean = {name: [_text(text, known, order.language) for text in group] for name, group in order.texts.items()}
    return {
        "width": width,
        "height": height,
        "padding": order.padding,
        "palette": palette,
        "fonts": _font_order(order, known),
        "lang": order.language,
        "title": one_line(order.texts["headline"][0]),
        "url": _address(order.source.url) if form == "pdf" else "",
        "copied": form == "pdf",
        "do": do_label(order),
        "headline": clean["headline"][0],
        "points": clean["points"],
        "insight": clean["insight"][0],
        "action": clean["action"][0],
        "domain": _text(_domain(order.source.domain), known, order.language, needed=False),
        "watermark": _text(order.brand["watermark"], known, order.language, needed=False),
    }


def _text(text: str, known: frozenset[int], around: str, *, needed: bool = True) -> dict[str, Any]:
    clean = drawable(text, known | EMBEDDED_LETTERS)
    if needed and not clean:
        raise UndrawableError(text[:20])
    broken = breakable(clean)
    return {"text": broken, "lang": language_within(clean, around), "pieces": longest_pieces(broken)}


def _address(url: str) -> str:
    # Addresses in a PDF must be ASCII.
    return quote(web_address(url), safe=string.punctuation)


def _domain(domain: str) -> str:
    # Keep the end of a very long domain, which names the site. The other files have the complete domain.
    return domain if len(domain) <= 60 else f"{domain[:20]}…{domain[-39:]}"


def _font_order(order: RenderRequest, known: frozenset[int]) -> list[str]:
    """Serif first if the sans lacks a letter (Polish, Ukrainian), so that a word does not mix two fonts."""
    text = "".join(text for group in order.texts.values() for text in group)
    lacking = any(ord(char) in SERIF_LETTERS - known for char in text)
    if lacking and order.language not in {"zh", "ja", "ko"}:
        return [SERIF, fonts.SANS, MONO]
    return [fonts.SANS, SERIF, MONO]
