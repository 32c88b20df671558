"""Choose the article among a page's blocks and return it as Markdown.

No single extractor is reliable on every page. Several extractors and our own (text_density.py) vote on the page's
blocks, and the article is made of the blocks that get at least half of the votes.
"""

import re
from typing import Any

import trafilatura
from lxml import etree
from lxml import html as lxml_html

from readdo.extraction import known_sites
from readdo.extraction.article_edges import trim_edges
from readdo.extraction.block_vote import elect_blocks, support
from readdo.extraction.extractor_opinions import Opinion, collect_opinions
from readdo.extraction.page_blocks import PageBlock, blocks
from readdo.extraction.structure_limits import simplify
from readdo.extraction.text_density import find_dense_blocks

OURS = 1.2  # weight of our own extractor's vote
WRECK = 0.35  # a reading shorter than this share of another reading has failed
FEW = 100  # tokens; only a shorter reading can have failed
_XML = re.compile(r"^\s*<\?xml[^>]*\?>")


def extract_markdown(html: str, url: str | None) -> str:
    tree = parse_html(html)
    if tree is None:
        return _flat(html)
    html, tree = simplify(html, tree, parse_html)
    page = blocks(tree)  # the whole tree: broken pages have two bodies
    opinions = collect_opinions(html, tree)
    indexes = _choose(page, opinions, title_of(tree))
    text = markdown([page[i] for i in indexes])
    tokens = size([page[i] for i in indexes])
    if elements := known_sites.article_elements(tree, url):
        own = [block for part in elements for block in blocks(part)]
        own = [own[i] for i in trim_edges(own, list(range(len(own))), "")]
        if own and size(own) >= WRECK * tokens:
            text, tokens = markdown(own), size(own)
    declared = next((opinion for opinion in opinions if opinion.name == "said"), None)
    if declared and tokens < WRECK * declared.size:  # the visible text is missing; a script would insert it
        text = "\n\n".join(line.strip() for line in declared.text.split("\n") if line.strip())
    return text or _flat(html)


def parse_html(html: str) -> Any:
    """The page's element tree, or None if the page cannot be parsed."""
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        return lxml_html.document_fromstring(_XML.sub("", html).encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def _choose(page: list[PageBlock], opinions: list[Opinion], title: str) -> list[int]:
    dense_indexes, unfit = find_dense_blocks(page)
    voted = trim_edges(page, elect_blocks(page, support(page, opinions, dense_indexes, OURS), unfit), title)
    own = trim_edges(page, sorted(dense_indexes), title)
    # Our own extractor overrules the vote only where the others found almost nothing.
    if size([page[i] for i in voted]) < min(FEW, WRECK * size([page[i] for i in own])):
        return own
    return voted


def markdown(page: list[PageBlock]) -> str:
    parts: list[str] = []
    for before, block in zip([None, *page], page, strict=False):
        if before is not None:
            parts.append("\n" if before.kind == block.kind == "li" else "\n\n")
        parts.append(block.markdown)
    return "".join(parts)


def size(page: list[PageBlock]) -> int:
    return sum(len(block.tokens) for block in page)


def title_of(tree: Any) -> str:
    for path in ('//meta[@property="og:title"]/@content', "//title/text()"):
        values = tree.xpath(path)
        if values and str(values[0]).strip():
            return " ".join(str(values[0]).split())
    return ""


def _flat(html: str) -> str:
    return trafilatura.html2txt(html) or ""
