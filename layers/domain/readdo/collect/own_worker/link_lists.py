"""Links with their texts, found in pages, in Markdown and in resource lists. None is invented."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from readdo import html_tokenizer
from readdo.collect.countable_text import addresses, without_addresses
from readdo.extraction.decode import decode
from readdo.extraction.fetch import fetch

LINKS_MAX = 500
_MARKDOWN = re.compile(r"\[([^\[\]]{0,300})\]\((https?://(?:[^\s()<>]|\([^\s()<>]*\))+)\)", re.IGNORECASE)
_OUTSIDE_TEXT = ("nav", "header", "footer", "aside")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


@dataclass(frozen=True)
class WebLink:
    url: str
    text: str = ""


def links_of_page(url: str, seconds: float) -> list[WebLink]:
    """Links of a page in its order, without those of its navigation."""
    page = fetch(url, seconds=seconds)
    found: list[WebLink] = []
    outside, address, words = 0, "", list[str]()
    for token in html_tokenizer.tokens(decode(page.body, page.content_type or None)):
        name = token.name.removeprefix("/")
        if name in _OUTSIDE_TEXT:
            outside += -1 if token.name.startswith("/") else 1
        elif token.name == "a":
            address, words = _absolute(page.url, token.attributes.get("href", "")), []
        elif token.name == "/a":
            if address and outside <= 0:
                found.append(WebLink(address, " ".join(" ".join(words).split())[:300]))
            address = ""
        elif not token.name:
            words.append(token.text)
    return unique(found)


def _absolute(base: str, href: str) -> str:
    try:
        address = urljoin(base, href.strip()).partition("#")[0]
        is_web = urlsplit(address).scheme in ("http", "https")
    except ValueError:
        return ""
    return address if is_web and address != base.partition("#")[0] else ""


def links_of_text(text: str) -> list[WebLink]:
    """Links of a Markdown or plain text. A bare address has the text of its line."""
    found: list[WebLink] = []
    for line in text.splitlines():
        named = _MARKDOWN.findall(line)
        found += [WebLink(url, text.strip()) for text, url in named]
        rest = _MARKDOWN.sub(" ", line)
        words = without_addresses(rest).strip(" -*|:：\t")
        found += [WebLink(url, words) for url in addresses(rest)]
    return unique(found)


def links_of_list(entries: Sequence[Any]) -> list[WebLink]:
    """A resource list: addresses, texts with addresses, or objects with url and title."""
    found: list[WebLink] = []
    for entry in entries:
        if isinstance(entry, str):
            found += links_of_text(entry)
        elif isinstance(entry, dict):
            title = next((str(entry[name]) for name in ("title", "name", "text") if name in entry), "")
            texts = [str(value) for value in entry.values() if isinstance(value, str)]
            found += [WebLink(link.url, title or link.text) for text in texts for link in links_of_text(text)]
    return unique(found)


def unique(links: Iterable[WebLink]) -> list[WebLink]:
    first: dict[str, WebLink] = {}
    for link in links:
        first.setdefault(link.url, link)
    return list(first.values())[:LINKS_MAX]


def likeness(title: str, text: str) -> float:
    """Share of the words of the title that the text has."""
    words, others = set(_WORD.findall(title.casefold())), set(_WORD.findall(text.casefold()))
    return len(words & others) / len(words) if words else 0.0
