"""Vote on each block of a page: every extractor's opinion counts with its weight."""

from collections.abc import Callable
from typing import Any

from readdo.extraction.extractor_opinions import SIZE, Opinion, shingles
from readdo.extraction.page_blocks import PageBlock

COVERED = 0.6  # share of a block's shingles in an opinion's text that counts as a vote for the block
NEEDED = 0.5  # share of the votes
NEARLY_ALL = 0.8
FAILED = 0.15  # an opinion smaller than this share of the median size has failed
CORE = 0.9  # share of the elected text that one element must hold; blocks outside it are dropped
REPEATED = 12  # tokens; a longer block that appears twice is kept once


def support(page: list[PageBlock], opinions: list[Opinion], dense: set[int], weight: float) -> list[float]:
    """The share of the votes of each block. `dense` votes by block index, the opinions by text."""
    ours = sum(len(page[i].tokens) for i in dense)
    usual = sorted([ours, *(opinion.size for opinion in opinions)])[(len(opinions) + 1) // 2]
    # An opinion with almost no text has failed, and must not vote against the others.
    opinions = [opinion for opinion in opinions if opinion.size >= FAILED * usual]
    weight = weight if ours >= FAILED * usual else 0.0
    total = sum(opinion.weight for opinion in opinions) + weight
    shares = []
    for i, block in enumerate(page):
        inside = _vote_test(block)
        votes = sum(opinion.weight for opinion in opinions if inside(opinion))
        shares.append((votes + (weight if i in dense else 0.0)) / max(total, 0.1))
    return shares


def _vote_test(block: PageBlock) -> Callable[[Opinion], bool]:
    if len(block.tokens) < SIZE:
        return lambda opinion: block.text in opinion.lines
    own = shingles(block.tokens)
    needed = COVERED * len(own)
    return lambda opinion: len(own & opinion.shingles) >= needed


def elect_blocks(page: list[PageBlock], shares: list[float], unfit: set[int]) -> list[int]:
    """Blocks with enough votes. `unfit` blocks look like furniture and need nearly all votes."""
    fits = [share >= (NEARLY_ALL if i in unfit else NEEDED) for i, share in enumerate(shares)]
    core = _core_element(page, [i for i, fit in enumerate(fits) if fit and len(page[i].tokens) >= SIZE])
    indexes: list[int] = []
    parents: dict[str, Any] = {}
    for i, block in enumerate(page):
        if not fits[i] or (core is not None and core not in _with_ancestors(block.node)):
            continue
        # A mobile copy of the page or a pull quote repeats a text: keep it once.
        parent = block.node.getparent()
        if len(block.tokens) < REPEATED or parents.setdefault(block.text, parent) is parent:
            indexes.append(i)
    return indexes


def _core_element(page: list[PageBlock], indexes: list[int]) -> Any:
    """The smallest element that holds most of the chosen text."""
    sizes: dict[Any, int] = {}
    for i in indexes:
        for node in _with_ancestors(page[i].node):
            sizes[node] = sizes.get(node, 0) + len(page[i].tokens)
    total = sum(len(page[i].tokens) for i in indexes)
    fits = [node for node, size in sizes.items() if size >= CORE * total]
    return max(fits, key=lambda node: sum(1 for _ in _with_ancestors(node)), default=None)


def _with_ancestors(node: Any) -> list[Any]:
    return [node, *node.iterancestors()]
