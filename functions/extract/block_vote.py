"""Which blocks of a page are its article: each opinion has a vote on each block, and neighbours stand by each other."""

from collections.abc import Callable
from typing import Any

from extractor_opinions import SIZE, Opinion, shingles
from page_blocks import PageBlock

COVERED = 0.6  # of a block's shingles must be in an opinion's text for it to be in favour
NEEDED = 0.5  # of the votes
NEARLY_ALL = 0.8
FAILED = 0.15  # of the usual size: smaller is a wreck
CORE = 0.9  # of what was elected stands in one part of the page; what stands elsewhere is a coincidence
REPEATED = 12  # tokens; a longer block that stands there twice is the same one


def support(page: list[PageBlock], opinions: list[Opinion], dense: set[int], weight: float) -> list[float]:
    """The share of the votes that each block has. Ours is by place, the others' are by text."""
    ours = sum(len(page[i].tokens) for i in dense)
    usual = sorted([ours, *(opinion.size for opinion in opinions)])[(len(opinions) + 1) // 2]
    # Whoever has found next to nothing has failed, and does not vote against what the others have found.
    opinions = [opinion for opinion in opinions if opinion.size >= FAILED * usual]
    weight = weight if ours >= FAILED * usual else 0.0
    total = sum(opinion.weight for opinion in opinions) + weight
    shares = []
    for i, block in enumerate(page):
        inside = _inside(block)
        votes = sum(opinion.weight for opinion in opinions if inside(opinion))
        shares.append((votes + (weight if i in dense else 0.0)) / max(total, 0.1))
    return shares


def _inside(block: PageBlock) -> Callable[[Opinion], bool]:
    if len(block.tokens) < SIZE:
        return lambda opinion: block.text in opinion.lines
    own = shingles(block.tokens)
    needed = COVERED * len(own)
    return lambda opinion: len(own & opinion.shingles) >= needed


def elected(page: list[PageBlock], shares: list[float], unfit: set[int]) -> list[int]:
    """`unfit` stand in what is named like furniture: those need nearly all votes."""
    fits = [share >= (NEARLY_ALL if i in unfit else NEEDED) for i, share in enumerate(shares)]
    core = _core(page, [i for i, fit in enumerate(fits) if fit and len(page[i].tokens) >= SIZE])
    chosen: list[int] = []
    seen: dict[str, Any] = {}
    for i, block in enumerate(page):
        if not fits[i] or (core is not None and core not in _above(block.node)):
            continue
        # The same page once more for telephones, a quote that is pulled out: once is enough.
        around = block.node.getparent()
        if len(block.tokens) < REPEATED or seen.setdefault(block.text, around) is around:
            chosen.append(i)
    return chosen


def _core(page: list[PageBlock], chosen: list[int]) -> Any:
    """The smallest part of the page that holds most of what was chosen."""
    sizes: dict[Any, int] = {}
    for i in chosen:
        for node in _above(page[i].node):
            sizes[node] = sizes.get(node, 0) + len(page[i].tokens)
    total = sum(len(page[i].tokens) for i in chosen)
    fits = [node for node, size in sizes.items() if size >= CORE * total]
    return max(fits, key=lambda node: sum(1 for _ in _above(node)), default=None)


def _above(node: Any) -> list[Any]:
    return [node, *node.iterancestors()]
