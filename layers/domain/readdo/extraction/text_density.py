"""Our own extractor: find the part of a page with its prose, by punctuation, links and class names."""

import re
from typing import Any

from readdo.extraction.page_blocks import PageBlock

_STOPS = re.compile(r"[。！？；…]|[.!?;](?=[\s\"”’)]|$)")
_PAUSES = re.compile(r"[，、：]|,(?=\s)")
_FURNITURE = re.compile(
    r"comment|disqus|reply|respond|sidebar|side-bar|footer|foot(?![a-z])|(?:^|[-_ ])nav|menu|breadcrumb|related|"
    r"recommend|tuijian|xiangguan|hot-?(?:news|list|rank)|rank|share|social|advert|(?:^|[-_ ])ads?(?:$|[-_ ])|"
    r"copyright|sponsor|promo|"
    r"subscri|newsletter|signup|sign-up|login|cookie|consent|popup|modal|banner|toolbar|author-?(?:bio|box|info|card)|"
    r"(?:^|[-_ ])(?:side|right|cards?|teasers?|picks)(?:$|[-_ ])|read-?next|"
    r"read-?more|more-?(?:news|stories|from)|outbrain|taboola|pager|pagination|widget|tag-?(?:list|cloud)",
    re.I,
)
_ARTICLE = re.compile(
    r"article|content|entry|post-?(?:body|text|content)|story|main-?text|zhengwen|detail|text-?body|markdown|js_content|"
    r"artibody|honbun|kiji",
    re.I,
)
_ASIDE = frozenset({"nav", "footer", "aside"})
CHAIN_MAX = 60
PROSE = 6.0


def value(block: PageBlock, unfit: bool) -> float:
    """Rate a block: above zero for prose (more for longer blocks), below zero for furniture."""
    size = len(block.tokens)
    if not size:
        return 0.0
    links = block.linked / max(1, len(block.text))
    if links > 0.5:
        return -min(size, 40) * links - 3
    if block.kind == "h":
        return -1.0
    stops, pauses = len(_STOPS.findall(block.text)), len(_PAUSES.findall(block.text))
    if block.kind in ("code", "table"):
        worth = min(size, 120) * 0.4
    elif stops or (pauses and size > 25):
        worth = size * (1 - links) * (1.2 if pauses else 0.9)
    elif block.kind == "li":
        worth = 0.1 * size - 1
    else:
        worth = size * 0.3 - 4 if size < 20 else size * 0.3
    return worth * (-0.3 if unfit and worth > 0 else 1.0)


def find_dense_blocks(page: list[PageBlock]) -> tuple[set[int], set[int]]:
    """The blocks of the densest subtree without its furniture, and the page's furniture blocks."""
    chains = [_with_ancestors(block.node) for block in page]
    bare = [value(block, False) for block in page]
    named = _unfit_nodes(chains, bare)
    unfit = {i for i, chain in enumerate(chains) if not named.isdisjoint(chain)}
    values = [value(block, True) if i in unfit else bare[i] for i, block in enumerate(page)]
    sums = _sums(chains, values)
    if not sums:
        return set(), unfit
    best = max(sums, key=lambda node: sums[node] * (1.05 if _has_article_name(node) else 1.0))
    inside = [i for i, chain in enumerate(chains) if best in chain]
    return set(_trim(page, [i for i in inside if _fits(page[i], values[i])], values)), unfit


def _trim(page: list[PageBlock], indexes: list[int], values: list[float]) -> list[int]:
    """Drop blocks before the first and after the last prose, and headings without content."""
    prose = [place for place, i in enumerate(indexes) if values[i] > PROSE]
    if not prose:
        return indexes
    indexes = indexes[prose[0] : prose[-1] + 1]
    return [
        i
        for i, after in zip(indexes, [*indexes[1:], -1], strict=True)
        if page[i].kind != "h" or (after >= 0 and (page[after].kind != "h" or page[after].lead > page[i].lead))
    ]


def _unfit_nodes(chains: list[list[Any]], values: list[float]) -> set[Any]:
    """Elements with a furniture-like name and less than half of the page's prose: names can mislead."""
    prose = [max(0.0, worth) for worth in values]
    held = _sums(chains, prose)
    half = 0.5 * sum(prose)
    return {node for node, worth in held.items() if worth < half and _is_furniture(node)}


def _sums(chains: list[list[Any]], values: list[float]) -> dict[Any, float]:
    sums: dict[Any, float] = {}
    for chain, worth in zip(chains, values, strict=True):
        for node in chain:
            sums[node] = sums.get(node, 0.0) + worth
    return sums


def _fits(block: PageBlock, worth: float) -> bool:
    return worth >= 0 or (worth > -4 and block.linked * 2 < len(block.text))


def _with_ancestors(node: Any) -> list[Any]:
    """The node and its ancestors."""
    chain: list[Any] = []
    while node is not None and len(chain) < CHAIN_MAX:
        chain.append(node)
        node = node.getparent()
    return chain


def _is_furniture(node: Any) -> bool:
    label = f"{node.get('class') or ''} {node.get('id') or ''}"[:300]
    large = node.tag in ("body", "html", "main", "article")
    return node.tag in _ASIDE or (not large and bool(_FURNITURE.search(label)) and not _ARTICLE.search(label))


def _has_article_name(node: Any) -> bool:
    return node.tag in ("article", "main") or bool(
        _ARTICLE.search(f"{node.get('class') or ''} {node.get('id') or ''}"[:300])
    )
