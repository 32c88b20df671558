"""Bookmarks that lie in folders within folders, as browsers keep them."""

from collections.abc import Iterator
from typing import Any

from readdo.import_formats import json_text, texts

_DEEPEST = 50


def leaves(root: dict[str, Any], name: str, link: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """(folders from below the root, bookmark), in the order in which they stand. No recursion: files may be deep."""
    waiting: list[tuple[list[str], dict[str, Any]]] = [([], root)]
    while waiting:
        path, node = waiting.pop()
        if link in node:
            yield path, node
        below = path if node is root else [*path, texts.said(node.get(name))]
        children = json_text.objects_in(node, "children")
        waiting += [(below[:_DEEPEST], child) for child in reversed(children)]
