"""Read a page's machine-readable metadata: meta tags and JSON-LD."""

import json
from collections.abc import Iterator
from typing import Any

VALUE_MAX = 2000
_ARTICLE = ("Article", "Posting", "Report", "WebPage", "Recipe", "HowTo", "Video")


def meta_tags(tree: Any) -> dict[str, str]:
    """The first content of each name, with names in lower case."""
    contents: dict[str, str] = {}
    for tag in tree.iter("meta"):
        name = tag.get("property") or tag.get("name") or tag.get("itemprop") or ""
        content = (tag.get("content") or "").strip()
        if name and content:
            contents.setdefault(name.strip().lower(), content)
    return contents


def first(tags: dict[str, str], *names: str) -> str:
    return next((tags[name] for name in names if tags.get(name)), "")


def visible_text(node: Any) -> str:
    """The text of a node without scripts and styles."""
    return "".join(node.xpath(".//text()[not(ancestor::script or ancestor::style or ancestor::noscript)]"))


def linked_data(tree: Any) -> dict[str, str]:
    """headline, author, published, publisher and image of the article in the JSON-LD."""
    things: list[dict[str, Any]] = []
    for script in tree.xpath('//script[contains(@type, "ld+json")]')[:10]:
        try:
            things += _things(json.loads(script.text or "", strict=False), 0)
        except (ValueError, RecursionError):
            continue
    articles = [thing for thing in things if any(kind in str(thing.get("@type")) for kind in _ARTICLE)]
    articles.sort(key=lambda thing: ("headline" not in thing, "WebPage" in str(thing.get("@type"))))
    fields: dict[str, str] = {}
    for thing in articles:
        for name, key in (
            ("headline", "headline"),
            ("author", "author"),
            ("published", "datePublished"),
            ("publisher", "publisher"),
            ("image", "image"),
        ):
            if value := " ".join(_text(thing.get(key))[:VALUE_MAX].split()):
                fields.setdefault(name, value)
    return fields


def _things(data: Any, depth: int) -> Iterator[dict[str, Any]]:
    if depth > 4:
        return
    if isinstance(data, dict):
        yield data
        for key in ("@graph", "mainEntity", "mainEntityOfPage"):
            yield from _things(data.get(key), depth + 1)
    elif isinstance(data, list):
        for one in data[:50]:
            yield from _things(one, depth + 1)


def _text(value: Any, depth: int = 0) -> str:
    if depth > 4:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(text for text in (_text(one, depth + 1) for one in value[:4]) if text)
    if isinstance(value, dict):
        return _text(value.get("name") or value.get("url"), depth + 1)
    return ""
