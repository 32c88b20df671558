"""A page as a row of blocks (paragraphs, headings, items, code, tables), each with the Markdown it becomes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from table_markdown import is_layout, table

# lxml carries no types: an element is Any from here on.
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
DEPTH_MAX = 120  # deeper than this nobody writes; what lies below is read as one text


@dataclass(slots=True)
class PageBlock:
    """`lead` is what Markdown puts before it, `text` what a reader sees, `node` where it stands."""

    text: str
    node: Element
    lead: str = ""
    kind: str = "p"
    whole: str = ""  # the Markdown, where it is not lead + text
    tokens: list[str] = field(default_factory=list)
    linked: int = 0  # how many of its characters are links

    @property
    def markdown(self) -> str:
        return self.whole or "\n".join(self.lead + line for line in self.text.split("\n"))


def tokens(text: str) -> list[str]:
    """What texts are compared by: words, and each character of scripts without spaces."""
    return _TOKEN.findall(_NOTHING.sub("", text.lower()))


def blocks(root: Element) -> list[PageBlock]:
    found: list[PageBlock] = []
    _walk(root, found, "", 0)
    for block in found:
        block.tokens = tokens(block.text)
    return found


def _walk(node: Element, found: list[PageBlock], quote: str, depth: int) -> None:
    """Texts and inline elements between two block elements are a paragraph of their own."""
    loose = _Loose(node, found, quote)
    loose.text(node.text)
    item = 0
    for child in node:
        tag = child.tag if isinstance(child.tag, str) else ""
        if not tag or tag in SKIPPED or _unseen(child):
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
            _block(child, tag, found, quote, depth + 1, f"{item}. " if node.tag == "ol" else "- ")
        loose.text(child.tail)
    loose.end()


class _Loose:
    """The paragraph being read."""

    def __init__(self, node: Element, found: list[PageBlock], quote: str) -> None:
        self.node, self.found, self.quote, self.linked = node, found, quote, 0
        self.parts: list[str] = []

    def text(self, text: str | None) -> None:
        # A line's end in the source is a space; a real one comes as exactly "\n", from <br>.
        if text:
            self.parts.append(text if text == "\n" and self.parts and self.parts[-1] != "\n" else _flat(text))

    def inline(self, child: Element) -> None:
        said = _coded(child) if child.tag in _CODE_TAGS else inline(child)
        if child.tag == "a":
            self.linked += len(said.strip())
        elif (inner := sum(len("".join(a.itertext()).strip()) for a in child.iter("a"))) > 0:
            self.linked += inner
        self.parts.append(said)

    def end(self) -> None:
        whole = "".join(self.parts)
        # Two line ends, wherever <br> stands, are what a paragraph's end was before there were paragraphs.
        for piece in _GAP.split(whole):
            if text := tidy(piece):
                linked = min(len(text), self.linked * len(piece) // max(1, len(whole)) + (self.linked > 0))
                self.found.append(PageBlock(text, self.node, self.quote, linked=linked))
        self.parts, self.linked = [], 0


def _block(node: Element, tag: str, found: list[PageBlock], quote: str, depth: int, mark: str) -> None:
    if tag in _HEADS:
        _whole(node, found, f"{quote}{_HEADS[tag]} ", "h")
    elif tag == "pre" or (tag == "table" and node.xpath("boolean(.//pre) and count(.//tr) = 1")):
        _code(node, found)
    elif tag == "table" and not is_layout(node):
        text, rows = table(node, inline)
        if rows:
            found.append(PageBlock(text, node, kind="table", whole=rows))
    elif depth > DEPTH_MAX:
        _whole(node, found, quote, "p")
    else:
        start = len(found)
        _walk(node, found, quote + ("> " if tag == "blockquote" else ""), depth)
        if tag == "li" and len(found) > start and found[start].kind == "p":
            found[start].lead, found[start].kind = quote + mark, "li"


def _whole(node: Element, found: list[PageBlock], lead: str, kind: str) -> None:
    text = tidy(inline(node)).replace("\n", " ")
    if text:
        linked = sum(len("".join(a.itertext()).strip()) for a in node.iter("a"))
        found.append(PageBlock(text, node, lead, kind, linked=min(linked, len(text))))


def _code(node: Element, found: list[PageBlock]) -> None:
    places = list(node.iter("pre")) or [node]
    place = max(places, key=lambda pre: len("".join(pre.itertext())))
    for line in place.iter("br"):
        line.tail = "\n" + (line.tail or "")
    # The class may stand on the <pre>, the <code> in it, or what is around it.
    named = " ".join(
        str(e.get("class") or "") for e in (place, *place.iter("code"), place.getparent()) if e is not None
    )
    said = _LANGUAGE.search(named)
    text = "".join(place.itertext()).replace("\r", "").strip("\n").rstrip()
    if text.strip():
        fence = "````" if "```" in text else "```"
        whole = f"{fence}{said[1] if said else ''}\n{text}\n{fence}"
        found.append(PageBlock(text, node, kind="code", whole=whole))


def inline(node: Element) -> str:
    """All text below, with `code` marked; nothing else is: emphasis says little, and its marks are in the way."""
    return "".join(_inline(node, 0))


def _inline(node: Element, depth: int) -> Iterator[str]:
    yield _flat(node.text)
    for child in node:
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag == "br":
            yield "\n"
        elif tag and tag not in SKIPPED and tag not in ("rt", "rp") and not _unseen(child):
            if tag in _CODE_TAGS:
                yield _coded(child)
            elif depth > DEPTH_MAX:
                yield _flat("".join(child.itertext()))
            else:
                yield from _inline(child, depth + 1)
        yield _flat(child.tail)


def _coded(node: Element) -> str:
    said = "".join(node.itertext())
    return f"`{said.strip()}`" if said.strip() and "`" not in said and "\n" not in said else _flat(said)


def _flat(text: str | None) -> str:
    """A line's end in the source is a space to a reader, and nothing at all between two Chinese letters."""
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


def _unseen(node: Element) -> bool:
    style = node.get("style")
    return node.get("hidden") is not None or bool(style and _HIDDEN_STYLE.search(style))
