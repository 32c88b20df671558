"""What others take for the article: the shingles and the lines of their texts. None is asked for Markdown."""

import json
import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import trafilatura
from lxml import html as lxml_html
from readability import Document
from readability.readability import Unparseable
from trafilatura.settings import use_config

from page_blocks import blocks, tokens

PARTS_MAX = 8000
SIZE = 4  # tokens a shingle: four words, or four Chinese letters
SAID_MIN = 200  # characters an `articleBody` has to have; shorter ones are teasers
_SHORT = use_config()
# The usual 250 characters suit Latin scripts; a whole Chinese article can be shorter.
_SHORT.set("DEFAULT", "MIN_EXTRACTED_SIZE", "150")
Shingles = frozenset[tuple[str, ...]]
for _chatty in ("readability", "trafilatura"):
    logging.getLogger(_chatty).setLevel(logging.CRITICAL)  # a page they cannot read is no news to us


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


def others(html: str, tree: Any) -> list[Opinion]:
    """An opinion without a text is none."""
    texts = (
        ("precise", 1.0, _trafilatura(html, precise=True)),
        ("usual", 1.0, _trafilatura(html, precise=False)),
        ("readability", 1.2, _readability(html)),
        ("said", 1.0, said(tree)),
    )
    return [opinion(name, weight, text) for name, weight, text in texts if text.strip()]


def _trafilatura(html: str, *, precise: bool) -> str:
    # Never deduplicate=True: it remembers earlier pages as long as the process lives.
    # Its second thoughts (`fast=False`) help where it is to find much; where little, the other opinions are them.
    # On a page of very many parts they cost seconds.
    fast = precise or html.count("<") > PARTS_MAX
    found = trafilatura.extract(html, include_comments=False, favor_precision=precise, fast=fast, config=_SHORT)
    return found or ""


def _readability(html: str) -> str:
    try:
        summary = Document(html).summary(html_partial=True)
        return "\n".join(block.text for block in blocks(lxml_html.fromstring(summary)))
    except (Unparseable, ValueError, TypeError, AttributeError, RecursionError):  # what broken pages make it raise
        return ""


def said(tree: Any) -> str:
    """The article's text as the page gives it to machines (JSON-LD `articleBody`), the longest if there are several."""
    found = ""
    for script in tree.xpath('//script[@type="application/ld+json"]'):
        try:
            for body in _bodies(json.loads(script.text or "", strict=False), 0):
                found = max(found, body, key=len)
        except (ValueError, RecursionError):
            continue
    if len(found) < SAID_MIN:
        return ""
    if "</" in found or "&lt;/" in found:
        found = "\n".join(block.text for block in blocks(lxml_html.fromstring(f"<div>{found}</div>")))
    return found


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
