"""The article according to trafilatura, readability and JSON-LD, as shingles and lines."""

import json
import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import trafilatura
from lxml import html as lxml_html
from readability import Document
from readability.readability import Unparseable
from trafilatura.settings import use_config

from readdo.extraction.page_blocks import blocks, tokens

PARTS_MAX = 8000
SIZE = 4  # tokens per shingle: four words, or four Chinese characters
BODY_MIN = 200  # characters; a shorter `articleBody` is a teaser
_SHORT = use_config()
# The default of 250 characters suits Latin scripts; a complete Chinese article can be shorter.
_SHORT.set("DEFAULT", "MIN_EXTRACTED_SIZE", "150")
Shingles = frozenset[tuple[str, ...]]
for _chatty in ("readability", "trafilatura"):
    logging.getLogger(_chatty).setLevel(logging.CRITICAL)  # a page that they cannot read is normal


class Opinion(NamedTuple):
    name: str
    weight: float
    text: str
    size: int
    shingles: Shingles
    lines: frozenset[str]


def shingles(words: list[str]) -> Shingles:
    if len(words) < SIZE:
        return frozenset([tuple(words)] if words else [])
    return frozenset(zip(*(words[i:] for i in range(SIZE)), strict=False))


def opinion(name: str, weight: float, text: str) -> Opinion:
    words = tokens(text)
    lines = frozenset(" ".join(line.split()).lstrip("-# ") for line in text.split("\n"))
    return Opinion(name, weight, text, len(words), shingles(words), lines)


def collect_opinions(html: str, tree: Any) -> list[Opinion]:
    """The opinions of all extractors that found a text."""
    texts = (
        ("precise", 1.0, _trafilatura(html, precise=True)),
        ("usual", 1.0, _trafilatura(html, precise=False)),
        ("readability", 1.2, _readability(html)),
        ("said", 1.0, article_body(tree)),
    )
    return [opinion(name, weight, text) for name, weight, text in texts if text.strip()]


def _trafilatura(html: str, *, precise: bool) -> str:
    # Never deduplicate=True: trafilatura then remembers earlier pages for the life of the process.
    # The fallbacks of `fast=False` help only with high recall. On a page with very many tags they cost seconds.
    fast = precise or html.count("<") > PARTS_MAX
    text = trafilatura.extract(html, include_comments=False, favor_precision=precise, fast=fast, config=_SHORT)
    return text or ""


def _readability(html: str) -> str:
    try:
        summary = Document(html).summary(html_partial=True)
        return "\n".join(block.text for block in blocks(lxml_html.fromstring(summary)))
    except (Unparseable, ValueError, TypeError, AttributeError, RecursionError):  # raised for broken pages
        return ""


def article_body(tree: Any) -> str:
    """The longest `articleBody` in the page's JSON-LD."""
    longest = ""
    for script in tree.xpath('//script[@type="application/ld+json"]'):
        try:
            for body in _bodies(json.loads(script.text or "", strict=False), 0):
                longest = max(longest, body, key=len)
        except (ValueError, RecursionError):
            continue
    if len(longest) < BODY_MIN:
        return ""
    if "</" in longest or "&lt;/" in longest:
        longest = "\n".join(block.text for block in blocks(lxml_html.fromstring(f"<div>{longest}</div>")))
    return longest


def _bodies(data: Any, depth: int) -> Iterator[str]:
    if depth > 6:
        return
    if isinstance(data, dict):
        body = data.get("articleBody")
        if isinstance(body, str):
            yield body
        for value in data.values():
            yield from _bodies(value, depth + 1)
    elif isinstance(data, list):
        for value in data[:50]:
            yield from _bodies(value, depth + 1)
