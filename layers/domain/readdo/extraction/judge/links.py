"""Detect pages that only link to articles: lists of links and feeds of teasers."""

import re

from readdo.extraction.judge.kinds import PageKind
from readdo.extraction.judge.page import VisibleBlock, VisiblePage
from readdo.extraction.judge.sentences import READ_MAX, key, plain, units

LINES_MIN = 8  # lines of links that make a list
PROSE_MAX = 240  # units of sentences that a list of links may have
ENTRIES_MIN = 4
ENTRY_MAX = 450  # units; no teaser is longer
_MORE = re.compile(
    r"^(?:read more|continue reading|read the (?:full|whole|rest)|read on|more ?[»›→…]|阅读全文|阅读更多|"
    r"查看全文|查看详情|继续阅读|展开全文|全文|\[?详细\]?|閱讀更多|繼續閱讀|続きを読む|もっと読む|全文を読む|記事を読む)",
    re.I,
)
_CODE = re.compile(r"::|\(\)|->|_|\w\(|[{}<>=]")
_CUT = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\])(?:\s?\S{0,16})?$")
_SENTENCE = re.compile(r"[.!?。！？…](?:\s|$|[\"'”」）)])|[。！？]")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\s?[-/.年]|\b\d{1,2} ?(?:hours?|days?|minutes?) ago\b|"
    r"\d{1,2}\s?(?:小时|天|分钟)前|\d{1,2}月\d{1,2}日"
)


def leads_elsewhere(page: VisiblePage, reading: str) -> PageKind | None:
    blocks = _read_blocks(page, plain(reading[:READ_MAX]))
    if _is_feed(page, blocks):
        return PageKind.FEED
    return PageKind.LINK_LIST if _is_list(blocks) else None


def _read_blocks(page: VisiblePage, reading: str) -> list[VisibleBlock]:
    """The page's blocks that are in the reading, and lines that are only in the reading."""
    lines = {key(line) for line in reading.splitlines()}
    reading_key = key(reading)
    if len(reading_key) < 40:
        return [b for b in page.blocks if b.aside != "hidden"]
    one_line = len(lines) <= 2
    read_blocks, seen_keys, used = [], set(), 0
    for block in page.blocks:
        block_key = key(block.text)
        if block_key and (block_key in lines or ((one_line or len(block_key) >= 8) and block_key[:300] in reading_key)):
            used += len(block_key)
            if block_key not in seen_keys:
                seen_keys.add(block_key)
                read_blocks.append(block)
    if used < 0.6 * len(reading_key):  # the reading has text that the page does not show
        read_blocks += [
            VisibleBlock(line, 0, "p", "") for line in reading.splitlines() if key(line) and key(line) not in seen_keys
        ]
    return read_blocks


def _is_list(blocks: list[VisibleBlock]) -> bool:
    linked = [b for b in blocks if b.linked > 0.6 * len(b.text)]
    total = sum(units(b.text) for b in blocks)
    prose = sum(_prose(b) for b in blocks)
    size = sum(units(b.text) for b in linked)
    return len(linked) >= LINES_MIN and size >= 0.5 * total and prose <= max(PROSE_MAX, 0.2 * total)


def _is_feed(page: VisiblePage, blocks: list[VisibleBlock]) -> bool:
    """True for headings that link into the site, each with a teaser, and another sign of a feed.

    A list of ten tools may have such headings, too, but no dates, cut-off paragraphs or "read more" links.
    """
    read = {key(b.text) for b in blocks}
    heads = {key(link.text) for link in page.links if link.heads and _inside(link.href) and _is_headline(link.text)}
    entries, beginnings, other, longest, under = 0, 0, 0, 0, 0
    for block in page.blocks:
        if key(block.text) in heads:
            entries, under = entries + 1, 1
        elif size := _prose(block):
            if key(block.text) in read:
                beginnings, other = (beginnings + size, other) if under == 1 else (beginnings, other + size)
                longest = max(longest, size)
            under *= 2
    if entries >= ENTRIES_MIN and beginnings and longest <= ENTRY_MAX and beginnings >= 3 * other:
        return _has_signs(page, blocks)
    long = [b for b in blocks if _prose(b)]
    cut = sum(bool(_CUT.search(b.text)) for b in long)
    return len(long) >= ENTRIES_MIN and max(map(_prose, long)) <= ENTRY_MAX and cut >= 0.7 * len(long)


def _has_signs(page: VisiblePage, blocks: list[VisibleBlock]) -> bool:
    more = sum(bool(_MORE.match(link.text)) for link in page.links)
    cut = sum(bool(_CUT.search(b.text)) for b in blocks if _prose(b))
    dated = sum(bool(_DATE.search(b.text)) for b in page.blocks if units(b.text) < 80)
    return max(more, cut, dated) >= 3 or max(page.times, page.articles) >= ENTRIES_MIN


def _is_headline(text: str) -> bool:
    """False for a name in a code reference, which links to its source."""
    return bool(key(text)) and units(text) >= 12 and not _CODE.search(text) and (" " in text or units(text) > len(text))


def _prose(block: VisibleBlock) -> int:
    if block.linked > 0.6 * len(block.text) or not _SENTENCE.search(block.text):
        return 0
    size = units(block.text)
    return size if size >= 40 else 0


def _inside(href: str) -> bool:
    return bool(href) and not href.startswith("#") and not href.lower().startswith(("javascript:", "mailto:"))
