"""Parse web pages and PDFs for tests."""

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
    """Return the card's texts on the page."""
    (headline,), (insight,), (action,) = (page.xpath(f"//{at}") for at in ("h1", "blockquote/p", "section/p"))
    points = [text_of(point) for point in page.xpath("//ol/li")]
    return {
        "headline": [text_of(headline)],
        "points": points,
        "insight": [text_of(insight)],
        "action": [text_of(action)],
    }


def displayed(text: str) -> str:
    return one_line(text)


def meta(page: Element, name: str) -> str | None:
    values = page.xpath("//meta[@name=$name or @property=$name]/@content", name=name)
    assert len(values) <= 1
    return str(values[0]) if values else None


def copied_text(pdf: bytes) -> str:
    """Return all text that a reader could copy, without white space.

    Pdfium returns U+FFFE for a hyphen at the end of a line.
    """
    (page,) = pypdfium2.PdfDocument(pdf)
    return "".join(page.get_textpage().get_text_range().replace("\ufffe", "-").split())
