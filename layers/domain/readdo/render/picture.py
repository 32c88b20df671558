"""The card as a picture. The text travels as data beside the template, so none of it can be read as typst."""

import json
from pathlib import Path
from typing import Any

import typst

from readdo.render import fonts
from readdo.render.breaks import breakable, longest_pieces
from readdo.render.drawable import UndrawableError, drawable
from readdo.render.embedded import EMBEDDED_LETTERS, MONO, SERIF, SERIF_LETTERS
from readdo.render.order import Order, RenderError
from readdo.render.palette import PALETTES
from readdo.render.script import language_spoken, language_within

TYPST_VERSION: str = vars(typst)["__version__"]  # the stubs that it ships do not know of it
TEMPLATE = Path(__file__).with_name("card.typ")
PIXELS = {"CARD_4x5_V1": (1080, 1350), "CARD_1x1_V1": (1080, 1080)}
_DO = {"zh": "去做", "ja": "やること", "ko": "할 일"}


def render_png(order: Order) -> bytes:
    try:
        place = fonts.directory()
        page = page_data(order, fonts.letters(place))
        image: Any = typst.compile(
            TEMPLATE.read_bytes(),
            format="png",
            ppi=72,
            font_paths=fonts.load(place),
            ignore_system_fonts=True,
            sys_inputs=inputs(page),
        )
    except fonts.FontMissingError as error:
        raise RenderError("png", "the card's font is not installed here.") from error
    except UndrawableError as error:
        raise RenderError("png", f"no font here has some of its letters ({_named(error)}); replace them.") from error
    except typst.TypstError as error:
        fits = "does not fit" not in error.message
        raise RenderError("png", "it could not be drawn." if fits else "the text is too long for it.") from error
    if not isinstance(image, bytes):
        raise RenderError("png", "the text is too long for it.")
    return image


def _named(lacking: UndrawableError) -> str:
    """By number: the message goes where a user's text must not."""
    codes = [f"U+{ord(char):04X}" for char in str(lacking)]
    return ", ".join(codes[:3]) + ("…" if len(codes) > 3 else "")


def inputs(page: dict[str, Any]) -> dict[str, str]:
    return {"page": json.dumps(page, ensure_ascii=False, sort_keys=True)}


def page_data(order: Order, known: frozenset[int]) -> dict[str, Any]:
    """All that the template draws, with every text cleaned, breakable and marked with its language."""
    if order.theme not in PALETTES or order.layout not in PIXELS:
        raise RenderError("png", f"there is no theme {order.theme} with layout {order.layout}.")
    width, height = PIXELS[order.layout]
    clean = {name: [_text(text, known, order.language) for text in group] for name, group in order.texts.items()}
    return {
        "width": width,
        "height": height,
        "padding": order.padding,
        "palette": PALETTES[order.theme],
        "fonts": _font_order(order, known),
        "lang": order.language,
        "do": _DO.get(language_spoken(order.card["action"], order.language), "Do"),
        "headline": clean["headline"][0],
        "points": clean["points"],
        "insight": clean["insight"][0],
        "action": clean["action"][0],
        "domain": _text(_domain(order.source.domain), known, order.language, needed=False),
        "watermark": _text(order.brand["watermark"], known, order.language, needed=False),
    }


def _text(text: str, known: frozenset[int], around: str, *, needed: bool = True) -> dict[str, Any]:
    shown = drawable(text, known | EMBEDDED_LETTERS)
    if needed and not shown:
        raise UndrawableError(text[:20])
    broken = breakable(shown)
    return {"text": broken, "lang": language_within(shown, around), "pieces": longest_pieces(broken)}


def _domain(domain: str) -> str:
    # A name this long is a machine's. Its end says whose it is; the whole of it is in the other files.
    return domain if len(domain) <= 60 else f"{domain[:20]}…{domain[-39:]}"


def _font_order(order: Order, known: frozenset[int]) -> list[str]:
    """The serif leads where the sans lacks a letter of the language (Polish, Ukrainian): one word, one font."""
    text = "".join(text for group in order.texts.values() for text in group)
    lacking = any(ord(char) in SERIF_LETTERS - known for char in text)
    if lacking and order.language not in {"zh", "ja", "ko"}:
        return [SERIF, fonts.SANS, MONO]
    return [fonts.SANS, SERIF, MONO]
