"""Reads a web page and a PDF as a test needs them."""

from typing import TypeAlias

import pypdfium2
from lxml import html

from readdo.render.escape import one_line

Element: TypeAlias = html.HtmlElement


def parsed(page: bytes) -> Element:
    return html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8"))


def text_of(node: Element) -> str:
    return str(node.text_content())


def read(page: Element) -> dict[str, list[str]]:
    """The card's texts, as they stand on the page."""
    (headline,), (insight,), (action,) = (page.xpath(f"//{at}") for at in ("h1", "blockquote/p", "section/p"))
    points = [text_of(point) for point in page.xpath("//ol/li")]
    return {
        "headline": [text_of(headline)],
        "points": points,
        "insight": [text_of(insight)],
        "action": [text_of(action)],
    }


def shown(text: str) -> str:
    return one_line(text)


def meta(page: Element, name: str) -> str | None:
    found = page.xpath("//meta[@name=$name or @property=$name]/@content", name=name)
    assert len(found) <= 1
    return str(found[0]) if found else None


def copied(pdf: bytes) -> str:
    """All that a reader would copy, without white space. Pdfium tells a hyphen at a line's end by U+FFFE."""
    (page,) = pypdfium2.PdfDocument(pdf)
    return "".join(page.get_textpage().get_text_range().replace("\ufffe", "-").split())
