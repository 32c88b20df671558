"""Parsed JSON with a limit of depth, its lists of objects, and its trees of folders."""

import json
from collections.abc import Iterator
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import values
from readdo.transfer.import_formats.import_line import BadFile

NO_JSON = object()  # the value of a text that is not JSON
_LEVELS_MAX, _PARENTS_MAX = 50, 20  # folders on the way to a bookmark, in a tree and by the ids of parents


def parse(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadFile(message("import_file.nested_too_deep")) from None
    except ValueError:
        return NO_JSON


def objects(data: Any, *names: str) -> list[dict[str, Any]]:
    """Objects of a list, or of an object's first list with one of these names."""
    if isinstance(data, dict):
        data = next((data[name] for name in names if isinstance(data.get(name), list)), [])
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def objects_in(data: Any, name: str) -> list[dict[str, Any]]:
    """Objects of the list with this name."""
    return objects(data.get(name)) if isinstance(data, dict) else []


def bookmarks_below(root: dict[str, Any], name: str, link: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """(folders below the root, bookmark) in document order. Not recursive: files may be deep."""
    stack: list[tuple[list[str], dict[str, Any]]] = [([], root)]
    while stack:
        path, node = stack.pop()
        if link in node:
            yield path, node
        below = path if node is root else [*path, values.to_text(node.get(name))]
        stack += [(below[:_LEVELS_MAX], child) for child in reversed(objects_in(node, "children"))]


def by_id(folders: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {id_: folder for folder in folders if (id_ := values.to_text(folder.get("id")))}


def path_to(folder_id: Any, folders: dict[str, dict[str, Any]]) -> list[str]:
    """Names from the top, by the parents' ids. Ends at a missing folder, and is safe against cycles."""
    names: list[str] = []
    for _ in range(_PARENTS_MAX):
        folder = folders.get(values.to_text(folder_id))
        if folder is None:
            break
        names.append(values.to_text(folder.get("name")))
        folder_id = folder.get("parentId")
    return list(dict.fromkeys(reversed(names)))
