"""Read a page's metadata: title, author, date, site, image."""

from typing import Any
from urllib.parse import urljoin, urlsplit

import trafilatura

from readdo.extraction import known_sites as sites
from readdo.extraction.article_text import parse_html
from readdo.extraction.embedded_metadata import first, linked_data, meta_tags, visible_text
from readdo.extraction.metadata_cleanup import author_of, date_of, same, title_without_site

META_MAX = 120
LINE_MAX = 1000  # characters; a longer text is no title or name
TITLE_MAX = 300
DATE_MAX = 40
IMAGE_MAX = 2000


def read_metadata(html: str, url: str | None) -> dict[str, Any]:
    """`title`, and of author, publish_date, site_name, image, source_hint those that the page has."""
    tree = parse_html(html)
    if tree is None:
        return {"title": ""}
    tags, data = meta_tags(tree), linked_data(tree)
    own = sites.facts(tree, url, html)
    site = own.get("site_name") or _line(first(tags, "og:site_name", "application-name")) or data.get("publisher", "")
    heads = [line for line in (_line(visible_text(head)) for head in tree.xpath("//h1")[:5]) if line]
    title = own.get("title") or _title(tree, tags, data, heads, site)
    facts = {
        "author": own.get("author") or _author(tree, tags, data, site),
        "publish_date": own.get("publish_date") or date_of(tree, tags, data, title, url)[:DATE_MAX],
        "site_name": site[:META_MAX],
        "image": _image(tags, data, url),
        "source_hint": (urlsplit(url).hostname or "" if url else "").removeprefix("www.")[:META_MAX],
    }
    return {"title": title[:TITLE_MAX], **{name: value for name, value in facts.items() if value}}


def _title(tree: Any, tags: dict[str, str], data: dict[str, str], heads: list[str], site: str) -> str:
    """A heading that another source confirms, else the meta tags or JSON-LD, else the <title>."""
    title_tag = next((_line(text) for text in tree.xpath("//title/text()") if _line(text)), "")
    declared = [line for line in (_line(first(tags, "og:title", "twitter:title")), data.get("headline", "")) if line]
    for head in heads:
        # A site's name can be a heading and part of <title>, too: the heading must be at least half of <title>.
        if any(same(head, other) for other in declared):
            return head
        if (
            (not declared or title_tag.endswith(declared[0]))
            and same(head, title_tag)
            and 2 * len(head) >= len(title_tag)
        ):
            return head
    if declared:
        return title_without_site(declared[0], [*declared[1:], *heads, title_tag], site)
    if title_tag:
        return title_without_site(title_tag, heads, site)
    return heads[0] if heads else ""


def _author(tree: Any, tags: dict[str, str], data: dict[str, str], site: str) -> str:
    for candidate in (
        data.get("author", ""),
        first(tags, "author", "article:author", "byl", "dc.creator", "citation_author"),
    ):
        if author := author_of(candidate, site):
            return author
    visible_author = author_of(_visible_author(tree), site)
    return visible_author or author_of(trafilatura.metadata.extract_author(tree) or "", site)


def _visible_author(tree: Any) -> str:
    for path in (
        '//*[@rel="author" or @itemprop="author"]',
        '//*[contains(@class, "author-name") or contains(@class, "author_name") or contains(@class, "byline")]',
    ):
        for node in tree.xpath(path)[:3]:
            line = _line(visible_text(node))
            if 1 < len(line) < META_MAX:
                return line
    return ""


def _image(tags: dict[str, str], data: dict[str, str], url: str | None) -> str:
    link = first(
        tags, "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"
    ) or data.get("image", "")
    try:
        absolute = urljoin(url or "", link.strip()) if link else ""
        parts = urlsplit(absolute)
    except ValueError:
        return ""
    fits = parts.scheme in ("http", "https") and parts.hostname and len(absolute) <= IMAGE_MAX and " " not in absolute
    return absolute if fits else ""


def _line(value: object) -> str:
    return " ".join(str(value or "")[:LINE_MAX].split())
