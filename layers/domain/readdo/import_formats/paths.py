"""Folders that name their parents by id: the way down to each, whatever circles a damaged file may hold."""

from typing import Any

from readdo.import_formats import texts

_DEEPEST = 20


def path_to(wanted: Any, folders: dict[str, dict[str, Any]]) -> list[str]:
    """Names from the top; a folder that is not there ends the way."""
    found: list[str] = []
    for _ in range(_DEEPEST):
        folder = folders.get(texts.said(wanted))
        if folder is None:
            break
        found.append(texts.said(folder.get("name")))
        wanted = folder.get("parentId")
    return list(dict.fromkeys(reversed(found)))


def by_id(folders: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {texts.said(folder.get("id")): folder for folder in folders if texts.said(folder.get("id"))}
