"""Bookmarks in nested folders, as browsers store them."""

from collections.abc import Iterator
from typing import Any

from readdo.transfer.import_formats import json_text, texts

_DEEPEST = 50


def leaves(root: dict[str, Any], name: str, link: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """(folders below the root, bookmark) in document order. Not recursive: files may be deep."""
    stack: list[tuple[list[str], dict[str, Any]]] = [([], root)]
    while stack:
        path, node = stack.pop()
        if link in node:
            yield path, node
        below = path if node is root else [*path, texts.to_text(node.get(name))]
        children = json_text.objects_in(node, "children")
        stack += [(below[:_DEEPEST], child) for child in reversed(children)]
