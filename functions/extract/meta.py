"""What a page says of itself: title, author, date, site, picture."""

from typing import Any
from urllib.parse import urljoin, urlsplit

import trafilatura

import known_sites as sites
from article_text import parsed
from machine_metadata import first, linked_data, meta_tags, seen
from metadata_cleanup import author_of, date_of, same, title_without_site

META_MAX = 120
LINE_MAX = 1000  # of anything that may be a title or a name; what is longer is neither
TITLE_MAX = 300
DATE_MAX = 40
IMAGE_MAX = 2000


def known(html: str, url: str | None) -> dict[str, Any]:
    """`title`, and those of author, publish_date, site_name, image, source_hint that the page has."""
    tree = parsed(html)
    if tree is None:
        return {"title": ""}
    said, data = meta_tags(tree), linked_data(tree)
    own = sites.facts(tree, url, html)
    site = own.get("site_name") or _line(first(said, "og:site_name", "application-name")) or data.get("publisher", "")
    heads = [line for line in (_line(seen(head)) for head in tree.xpath("//h1")[:5]) if line]
    title = own.get("title") or _title(tree, said, data, heads, site)
    facts = {
        "author": own.get("author") or _author(tree, said, data, site),
        "publish_date": own.get("publish_date") or date_of(tree, said, data, title, url)[:DATE_MAX],
        "site_name": site[:META_MAX],
        "image": _image(said, data, url),
        "source_hint": (urlsplit(url).hostname or "" if url else "").removeprefix("www.")[:META_MAX],
    }
    return {"title": title[:TITLE_MAX], **{name: value for name, value in facts.items() if value}}


def _title(tree: Any, said: dict[str, str], data: dict[str, str], heads: list[str], site: str) -> str:
    """A heading that another source agrees with; else what the page tells others; else its tab."""
    tab = next((_line(text) for text in tree.xpath("//title/text()") if _line(text)), "")
    told = [line for line in (_line(first(said, "og:title", "twitter:title")), data.get("headline", "")) if line]
    for head in heads:
        # A site's name is a heading too, and stands in its tab: it has to be most of what the tab says.
        if any(same(head, other) for other in told):
            return head
        if (not told or tab.endswith(told[0])) and same(head, tab) and 2 * len(head) >= len(tab):
            return head
    if told:
        return title_without_site(told[0], [*told[1:], *heads, tab], site)
    if tab:
        return title_without_site(tab, heads, site)
    return heads[0] if heads else ""


def _author(tree: Any, said: dict[str, str], data: dict[str, str], site: str) -> str:
    for told in (
        data.get("author", ""),
        first(said, "author", "article:author", "byl", "dc.creator", "citation_author"),
    ):
        if author := author_of(told, site):
            return author
    found = author_of(_visible_author(tree), site)
    return found or author_of(trafilatura.metadata.extract_author(tree) or "", site)


def _visible_author(tree: Any) -> str:
    for path in (
        '//*[@rel="author" or @itemprop="author"]',
        '//*[contains(@class, "author-name") or contains(@class, "author_name") or contains(@class, "byline")]',
    ):
        for node in tree.xpath(path)[:3]:
            line = _line(seen(node))
            if 1 < len(line) < META_MAX:
                return line
    return ""


def _image(said: dict[str, str], data: dict[str, str], url: str | None) -> str:
    told = first(
        said, "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"
    ) or data.get("image", "")
    try:
        whole = urljoin(url or "", told.strip()) if told else ""
        parts = urlsplit(whole)
    except ValueError:
        return ""
    fits = parts.scheme in ("http", "https") and parts.hostname and len(whole) <= IMAGE_MAX and " " not in whole
    return whole if fits else ""


def _line(value: object) -> str:
    return " ".join(str(value or "")[:LINE_MAX].split())
