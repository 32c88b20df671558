"""The web page loads nothing, runs nothing, and shows every text literally."""

import base64
import hashlib
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readdo.render.files import render
from readdo.render.render_request import CardSource
from unit.render import cards
from unit.render.documents import Element, displayed, meta, parsed, read, text_of

HOSTILE = {
    "ends the style": "</style><script>alert(1)</script>",
    "ends the title": "</title><script>alert(1)</script><title>",
    "a tag": "<img src=x onerror=alert(1)> 图片",
    "a quote in an attribute": '" onmouseover="alert(1)" x=\'y\' `',
    "an entity": "&lt;b&gt; &#60;script&#62; &amp;amp; &copy 版权",
    "a comment": "<!-- hidden --> --> <![CDATA[ x ]]> <?php x ?>",
    "of CSS": "} * { background: url(https://evil.example/) } /* */ @import 'x';",
    "a form": '<form action="https://evil.example/"><input name=password></form>',
    "a base": '<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example/">',
    "control characters": "a\x00b\x07c\x1bd\x7fe\x85f 控制",
    "turned around": "evil \u202egnp.exe\u202c \u2066x\u2069 反转",
    "unseen": "in\u200bvis\u2060ible\ufeff \U000e0041tag",
    "half a pair": "half \ud83d of \udc00 a pair 一半",
    "several lines": "one\n\ntwo\r\n三\u2028four\u2029five",
    "long": "<" * 40 + "&" * 40,
}
ADDRESSES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//https://example.com",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "javascript://example.com/%0Aalert(1)",
    "ftp://example.com/x",
    "file:///etc/passwd",
    "//evil.example/x",
    "blob:https://example.com/x",
    "http://[",
]
TAGS = ["html", "head", "meta", "title", "link", "style", "body", "main", "article", "h1", "ol", "li", "blockquote"]
ALLOWED = {*TAGS, "p", "section", "h2", "span", "footer", "cite", "a", "wbr"}
PLAIN = ["html", "head", "title", "style", "body", "main", "article", "h1", "ol", "blockquote", "section", "h2"]
ONLY_URL_ATTRIBUTES = {("a", "href"), ("link", "href")}
KNOWN_ATTRIBUTES = {"lang", "dir", "charset", "http-equiv", "content", "name", "property", "rel", "href", "role"}


def page(text: str, source: CardSource | None = None) -> tuple[bytes, Element]:
    card = cards.card(text, [text] * 3, text, text, watermark=text[:40])
    files = render(
        card, formats=["html"], source=source or CardSource(text, "https://example.com/", text), beside=["png"]
    )
    return files["html"], parsed(files["html"])


def assert_inert(document: Element) -> None:
    nodes = list(document.iter())
    assert all(isinstance(node.tag, str) for node in nodes), "no comment and no processing instruction"
    assert {node.tag for node in nodes} <= ALLOWED
    assert {tag: len(document.xpath(f"//{tag}")) for tag in PLAIN} == dict.fromkeys(PLAIN, 1)
    for node in nodes:
        assert set(node.attrib) <= KNOWN_ATTRIBUTES | {"class", "aria-hidden"}, node.tag
        if "href" in node.attrib:
            assert (node.tag, "href") in ONLY_URL_ATTRIBUTES
    (icon,) = document.xpath("//link/@href")
    assert icon.startswith("data:image/svg+xml;base64,")
    assert all(re.match(r"https?://[^/]", href) for href in document.xpath("//a/@href"))
    assert set(document.xpath("//meta/@http-equiv")) == {"Content-Security-Policy"}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_inert_and_readable(text: str) -> None:
    raw, document = page(text)
    assert_inert(document)
    expected = displayed(text)
    assert read(document) == {
        "headline": [expected],
        "points": [expected] * 3,
        "insight": [expected],
        "action": [expected],
    }
    assert [text_of(node) for node in document.xpath("//title | //a")] == [expected] * 2
    assert meta(document, "og:title") == meta(document, "description") == expected
    assert b"<script" not in raw
    # All hidden characters are removed, except joiners, which belong to the spelling.
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert not [char for char in raw.decode() if unicodedata.category(char) in hidden and char not in "\n\u200c\u200d"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cn", "Cs"]), max_size=60))
@settings(max_examples=150, derandomize=True, deadline=None)
def test_any_text_is_inert_on_the_page(text: str) -> None:
    assert_inert(page(text, CardSource(text, f"https://example.com/{text}", text))[1])


@pytest.mark.parametrize("url", ADDRESSES)
def test_page_links_web_addresses_only(url: str) -> None:
    raw, document = page("plain words, 普通的字", CardSource("the title", url, "example.com"))
    assert_inert(document)
    assert not document.xpath("//a")
    assert meta(document, "og:url") is None
    assert "the title" in text_of(document.xpath("//footer")[0])
    assert displayed(url) in text_of(document.xpath("//footer")[0]), "the address is readable"
    assert b"href=" not in raw.replace(b'<link rel="icon" href="data:', b"")


def test_address_cannot_break_out_of_its_attribute() -> None:
    url = "https://example.com/\"><script>alert(1)</script>?a=1&copy;=2&lt;' onclick='x"
    _, document = page("plain words", CardSource("t", url, "example.com"))
    assert_inert(document)
    (href,) = document.xpath("//a/@href")
    assert href == "https://example.com/%22%3E%3Cscript%3Ealert%281%29%3C/script%3E?a=1&copy;=2&lt;'%20onclick='x"


def policy(document: Element) -> dict[str, str]:
    (content,) = document.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    return dict(part.strip().split(" ", 1) for part in content.split(";"))


@pytest.mark.parametrize("card", [cards.english(), cards.chinese(theme="DARK", layout="CARD_1x1_V1")])
def test_content_security_policy_allows_only_the_style(card: dict[str, Any]) -> None:
    raw = render(card, formats=["html"], source=CardSource())["html"]
    style = raw[raw.index(b"<style>") + 7 : raw.index(b"</style>")]
    digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
    assert policy(parsed(raw)) == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "img-src": "data: 'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert raw.index(b"Content-Security-Policy") < raw.index(b"<style>")


def test_style_loads_no_resources() -> None:
    raw = render(cards.english(), formats=["html"], source=CardSource())["html"].decode()
    style = raw[raw.index("<style>") : raw.index("</style>")]
    assert not re.search(r"url\(|@import|@font-face|image\(|expression|https?:", style)
    assert " style=" not in raw.replace("<style>", "")


def test_page_sends_no_referrer() -> None:
    _, document = page("plain words")
    assert meta(document, "referrer") == "no-referrer"
    assert "width=device-width" in (meta(document, "viewport") or "")
