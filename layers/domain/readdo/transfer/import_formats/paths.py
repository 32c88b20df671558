"""Paths of folders that name their parents by id. Safe against cycles in a damaged file."""

from typing import Any

from readdo.transfer.import_formats import texts

_DEEPEST = 20


def path_to(folder_id: Any, folders: dict[str, dict[str, Any]]) -> list[str]:
    """Names from the top. The path ends at a folder that is missing."""
    names: list[str] = []
    for _ in range(_DEEPEST):
        folder = folders.get(texts.to_text(folder_id))
        if folder is None:
            break
        names.append(texts.to_text(folder.get("name")))
        folder_id = folder.get("parentId")
    return list(dict.fromkeys(reversed(names)))


def by_id(folders: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {texts.to_text(folder.get("id")): folder for folder in folders if texts.to_text(folder.get("id"))}
