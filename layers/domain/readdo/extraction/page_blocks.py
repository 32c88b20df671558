"""Split a page into blocks (paragraphs, headings, items, code, tables) with their Markdown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from readdo.extraction.table_markdown import is_layout, table

# lxml has no type information.
Element = Any

CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
_BETWEEN = re.compile(rf"(?<=[{CJK}，。、；：！？”」』）])[^\S\n]*+\n\s*+(?=[{CJK}“「『（])")
_GAP = re.compile(r"\n[^\S\n]*\n")
_SPACE = re.compile(r"[^\S\n]*\n\s*|[^\S\n]+")
_NOTHING = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphens and other signs without a width
_HEADS = {"h1": "#", "h2": "##", "h3": "###", "h4": "####", "h5": "#####", "h6": "######"}
_LANGUAGE = re.compile(r"\b(?:language|lang|highlight-source|brush:)[-\s]?([\w+#]{1,20})")
_NOT_TEXT = (
    "script style noscript template svg math iframe object embed canvas audio video select textarea button input head "
    "meta link title map datalist progress dialog"
)
_IN_TEXT = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby rb s samp small span "
    "strike strong sub sup time tt u var wbr img nobr rt rp picture source o:p"
)
_CODE_TAGS = frozenset({"code", "kbd", "samp", "tt"})
SKIPPED = frozenset(_NOT_TEXT.split())
_INLINE = frozenset(_IN_TEXT.split())
DEPTH_MAX = 120  # levels; deeper elements are read as one text


@dataclass(slots=True)
class PageBlock:
    """`lead` is the Markdown prefix, `text` the visible text, `node` the element of the block."""

    text: str
    node: Element
    lead: str = ""
    kind: str = "p"
    whole: str = ""  # the Markdown, if it is not lead + text
    tokens: list[str] = field(default_factory=list)
    linked: int = 0  # number of characters in links

    @property
    def markdown(self) -> str:
        return self.whole or "\n".join(self.lead + line for line in self.text.split("\n"))


def tokens(text: str) -> list[str]:
    """Split a text for comparison: words, and single characters of scripts without spaces."""
    return _TOKEN.findall(_NOTHING.sub("", text.lower()))


def blocks(root: Element) -> list[PageBlock]:
    page: list[PageBlock] = []
    _walk(root, page, "", 0)
    for block in page:
        block.tokens = tokens(block.text)
    return page


def _walk(node: Element, page: list[PageBlock], quote: str, depth: int) -> None:
    """Append the blocks of a node. Inline content between two block elements is a paragraph."""
    loose = _Paragraph(node, page, quote)
    loose.text(node.text)
    item = 0
    for child in node:
        tag = child.tag if isinstance(child.tag, str) else ""
        if not tag or tag in SKIPPED or _is_hidden(child):
            pass
        elif tag == "br":
            loose.text("\n")
            if child.getnext() is not None and child.getnext().tag == "br" and not (child.tail or "").strip():
                loose.end()
        elif tag in _INLINE and not _holds_blocks(child):
            loose.inline(child)
        elif tag == "hr":
            loose.end()
        else:
            loose.end()
            item += tag == "li"
            _add_element(child, tag, page, quote, depth + 1, f"{item}. " if node.tag == "ol" else "- ")
        loose.text(child.tail)
    loose.end()


class _Paragraph:
    """Collect inline content into paragraphs."""

    def __init__(self, node: Element, page: list[PageBlock], quote: str) -> None:
        self.node, self.page, self.quote, self.linked = node, page, quote, 0
        self.parts: list[str] = []

    def text(self, text: str | None) -> None:
        # A line end in the source is a space; a <br> arrives as exactly "\n".
        if text:
            self.parts.append(text if text == "\n" and self.parts and self.parts[-1] != "\n" else _flat(text))

    def inline(self, child: Element) -> None:
        text = _mark_code(child) if child.tag in _CODE_TAGS else inline(child)
        if child.tag == "a":
            self.linked += len(text.strip())
        elif (inner := sum(len("".join(a.itertext()).strip()) for a in child.iter("a"))) > 0:
            self.linked += inner
        self.parts.append(text)

    def end(self) -> None:
        whole = "".join(self.parts)
        # Two <br> in a row end a paragraph.
        for piece in _GAP.split(whole):
            if text := tidy(piece):
                linked = min(len(text), self.linked * len(piece) // max(1, len(whole)) + (self.linked > 0))
                self.page.append(PageBlock(text, self.node, self.quote, linked=linked))
        self.parts, self.linked = [], 0


def _add_element(node: Element, tag: str, page: list[PageBlock], quote: str, depth: int, mark: str) -> None:
    if tag in _HEADS:
        _add_block(node, page, f"{quote}{_HEADS[tag]} ", "h")
    elif tag == "pre" or (tag == "table" and node.xpath("boolean(.//pre) and count(.//tr) = 1")):
        _add_code(node, page)
    elif tag == "table" and not is_layout(node):
        text, rows = table(node, inline)
        if rows:
            page.append(PageBlock(text, node, kind="table", whole=rows))
    elif depth > DEPTH_MAX:
        _add_block(node, page, quote, "p")
    else:
        start = len(page)
        _walk(node, page, quote + ("> " if tag == "blockquote" else ""), depth)
        if tag == "li" and len(page) > start and page[start].kind == "p":
            page[start].lead, page[start].kind = quote + mark, "li"


def _add_block(node: Element, page: list[PageBlock], lead: str, kind: str) -> None:
    text = tidy(inline(node)).replace("\n", " ")
    if text:
        linked = sum(len("".join(a.itertext()).strip()) for a in node.iter("a"))
        page.append(PageBlock(text, node, lead, kind, linked=min(linked, len(text))))


def _add_code(node: Element, page: list[PageBlock]) -> None:
    pre_elements = list(node.iter("pre")) or [node]
    pre_element = max(pre_elements, key=lambda element: len("".join(element.itertext())))
    for line in pre_element.iter("br"):
        line.tail = "\n" + (line.tail or "")
    # The language is in the class of the <pre>, of its <code>, or of its parent.
    classes = " ".join(
        str(e.get("class") or "")
        for e in (pre_element, *pre_element.iter("code"), pre_element.getparent())
        if e is not None
    )
    language = _LANGUAGE.search(classes)
    text = "".join(pre_element.itertext()).replace("\r", "").strip("\n").rstrip()
    if text.strip():
        fence = "````" if "```" in text else "```"
        whole = f"{fence}{language[1] if language else ''}\n{text}\n{fence}"
        page.append(PageBlock(text, node, kind="code", whole=whole))


def inline(node: Element) -> str:
    """All text of a node. Only `code` is marked: marks of emphasis add noise."""
    return "".join(_inline(node, 0))


def _inline(node: Element, depth: int) -> Iterator[str]:
    yield _flat(node.text)
    for child in node:
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag == "br":
            yield "\n"
        elif tag and tag not in SKIPPED and tag not in ("rt", "rp") and not _is_hidden(child):
            if tag in _CODE_TAGS:
                yield _mark_code(child)
            elif depth > DEPTH_MAX:
                yield _flat("".join(child.itertext()))
            else:
                yield from _inline(child, depth + 1)
        yield _flat(child.tail)


def _mark_code(node: Element) -> str:
    text = "".join(node.itertext())
    return f"`{text.strip()}`" if text.strip() and "`" not in text and "\n" not in text else _flat(text)


def _flat(text: str | None) -> str:
    """Fold whitespace: a line end is a space, and nothing between two Chinese characters."""
    return _SPACE.sub(" ", _BETWEEN.sub("", _NOTHING.sub("", text))) if text else ""


def tidy(text: str) -> str:
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


_HOLDS = etree.XPath(
    "boolean(.//p|.//div|.//ul|.//ol|.//table|.//pre|.//blockquote|.//h1|.//h2|.//h3|.//h4|.//section|.//li)"
)


def _holds_blocks(node: Element) -> bool:
    return len(node) > 0 and bool(_HOLDS(node))


_HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.I)


def _is_hidden(node: Element) -> bool:
    style = node.get("style")
    return node.get("hidden") is not None or bool(style and _HIDDEN_STYLE.search(style))
