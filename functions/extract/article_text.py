"""The best reading of a page: which of its text is the article, as Markdown.

No single extractor can be trusted with every page. Several are asked, and so is our own eye (`reading_dense`); what is
returned is made of the page's own blocks, each of which needs half of the votes.
"""

import re
from typing import Any

import trafilatura
from lxml import etree
from lxml import html as lxml_html

import known_sites
from article_edges import repaired
from block_vote import elected, support
from extractor_opinions import Opinion, others
from page_blocks import PageBlock, blocks
from structure_limits import simplify
from text_density import dense

OURS = 1.2  # the weight of our own opinion
WRECK = 0.35  # a reading this much shorter than what there is to read is not believed
FEW = 100  # tokens; a text that is shorter may be a wreck
_XML = re.compile(r"^\s*<\?xml[^>]*\?>")


def best(html: str, url: str | None) -> str:
    tree = parsed(html)
    if tree is None:
        return _flat(html)
    html, tree = simplify(html, tree, parsed)
    page = blocks(tree)  # not only its body: broken pages have two
    asked = others(html, tree)
    chosen = _chosen(page, asked, title_of(tree))
    text = markdown([page[i] for i in chosen])
    found = size([page[i] for i in chosen])
    if ruled := known_sites.parts(tree, url):
        own = [block for part in ruled for block in blocks(part)]
        own = [own[i] for i in repaired(own, list(range(len(own))), "")]
        if own and size(own) >= WRECK * found:
            text, found = markdown(own), size(own)
    given = next((opinion for opinion in asked if opinion.name == "said"), None)
    if given and found < WRECK * given.size:  # the text is not on the page; a script would have put it there
        text = "\n\n".join(line.strip() for line in given.text.split("\n") if line.strip())
    return text or _flat(html)


def parsed(html: str) -> Any:
    """The page's tree, or None if there is none in it."""
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        return lxml_html.document_fromstring(_XML.sub("", html).encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def _chosen(page: list[PageBlock], asked: list[Opinion], title: str) -> list[int]:
    ours, unfit = dense(page)
    chosen = repaired(page, elected(page, support(page, asked, ours, OURS), unfit), title)
    own = repaired(page, sorted(ours), title)
    # The others know a hundred ways to fail; ours is believed against them only where they found next to nothing.
    if size([page[i] for i in chosen]) < min(FEW, WRECK * size([page[i] for i in own])):
        return own
    return chosen


def markdown(found: list[PageBlock]) -> str:
    parts: list[str] = []
    for before, block in zip([None, *found], found, strict=False):
        if before is not None:
            parts.append("\n" if before.kind == block.kind == "li" else "\n\n")
        parts.append(block.markdown)
    return "".join(parts)


def size(found: list[PageBlock]) -> int:
    return sum(len(block.tokens) for block in found)


def title_of(tree: Any) -> str:
    for path in ('//meta[@property="og:title"]/@content', "//title/text()"):
        found = tree.xpath(path)
        if found and str(found[0]).strip():
            return " ".join(str(found[0]).split())
    return ""


def _flat(html: str) -> str:
    return trafilatura.html2txt(html) or ""
