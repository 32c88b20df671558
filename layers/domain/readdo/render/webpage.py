"""The card as a self-contained web page, without scripts or external files and with all text escaped.

The page shows the same as the picture, and a link to the source. It does not show the intent, because the reason for
saving is private and the file is meant to be shared.
"""

import base64
import hashlib
from functools import cache
from html import escape as escaped
from pathlib import Path

from readdo.render.escape import one_line, web_address
from readdo.render.labels import RIGHT_TO_LEFT, direction, do_label
from readdo.render.line_breaks import BREAK, breakable
from readdo.render.preview import preview
from readdo.render.render_request import RenderRequest, utf8
from readdo.render.script_language import language_within
from readdo.render.type_scale import scale

_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="{do_fill}"/>'
    '<path d="M7 16h17m-7-7 7 7-7 7" fill="none" stroke="{do_label}" stroke-width="3.4" stroke-linecap="round"'
    ' stroke-linejoin="round"/></svg>'
)


def render_html(order: RenderRequest) -> bytes:
    style = _style(order)
    lines = [
        "<!doctype html>",
        f'<html lang="{order.language}" dir="{direction(order.language)}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style)}">',
        *_head(order),
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *_card(order),
        "</body>",
        "</html>",
    ]
    return utf8("\n".join(lines) + "\n")


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(utf8(style)).digest()).decode()
    allowed = f"style-src 'sha256-{digest}'; img-src data: 'self'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


@cache
def _rules() -> str:
    return Path(__file__).with_name("card.css").read_text("utf-8")


def _style(order: RenderRequest) -> str:
    palette, (width, height) = order.look("html")
    to = scale(order)
    variables = {
        **{name.replace("_", "-"): colour for name, colour in palette.items()},
        "ratio": f"{width} / {height}",
        "tall": f"{height / width:.4g}",
        "padding": f"{order.padding / width * 100:.4g}cqi",
        "size": f"{to.size / width * 100:.4g}cqi",
        "head": f"{to.head / width * 100:.4g}cqi",
        "gap": f"{to.gap:.4g}em",
        "line": f"{to.line:.4g}",
        "lead": f"{to.line - 1:.4g}em",
        "scheme": order.theme.lower(),
    }
    return "\n:root { " + " ".join(f"--{name}: {value};" for name, value in variables.items()) + " }\n" + _rules()


def _head(order: RenderRequest) -> list[str]:
    palette, pixels = order.look("html")
    icon = base64.b64encode(_ICON.format(**palette).encode()).decode()
    return [
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f'<meta name="theme-color" content="{palette["paper"]}">',
        f"<title>{escaped(one_line(order.texts['headline'][0]))}</title>",
        *preview(order, pixels),
        f'<link rel="icon" href="data:image/svg+xml;base64,{icon}">',
    ]


def _card(order: RenderRequest) -> list[str]:
    texts, label, arrow = order.texts, do_label(order), "←" if order.language in RIGHT_TO_LEFT else "→"
    return [
        "<main>",
        "<article>",
        _element("h1", texts["headline"][0], order),
        '<ol role="list">',  # without the role, a browser does not announce a list without numbers as a list
        *(_element("li", point, order) for point in texts["points"]),
        "</ol>",
        "<blockquote>",
        _element("p", texts["insight"][0], order),
        "</blockquote>",
        "<section>",
        f'<h2><span aria-hidden="true">{arrow}</span> {_spoken(label, label, order)}</h2>',
        _element("p", texts["action"][0], order),
        "</section>",
        *_footer(order),
        "</article>",
        "</main>",
    ]


def _footer(order: RenderRequest) -> list[str]:
    source = order.source
    url, domain, mark = web_address(source.url), one_line(source.domain), one_line(order.brand["watermark"])
    name = one_line(source.title) or domain or one_line(source.url)
    title = _spoken(_marked(name), name, order)
    cited = [f'<a href="{escaped(url)}" rel="noopener noreferrer">{title}</a>' if url else title] if name else []
    # An address that is not http(s) is shown as text, because a reader may still be able to use it.
    asides = [domain] if url else [domain, one_line(source.url)]
    cited += [f'<span class="aside">{_marked(text)}</span>' for text in asides if text and text != name]
    parts = [f'<p class="source"><cite>{" ".join(cited)}</cite></p>'] if cited else []
    parts += [f'<p class="mark" dir="ltr">{_marked(mark)}</p>'] if mark else []
    return ["<footer>", *parts, "</footer>"] if parts else []


def _element(tag: str, text: str, order: RenderRequest) -> str:
    return f"<{tag}>{_spoken(_marked(one_line(text)), text, order)}</{tag}>"


def _spoken(marked: str, text: str, order: RenderRequest) -> str:
    """Add language and direction if they differ from those of the page."""
    lang = language_within(text, order.language)
    if lang == order.language or not any(map(str.isalpha, text)):
        return marked
    return f'<span lang="{lang}" dir="{direction(lang)}">{marked}</span>'


def _marked(text: str) -> str:
    """Escaped HTML with the same break opportunities as the picture."""
    return escaped(breakable(text)).replace(BREAK, "<wbr>")
