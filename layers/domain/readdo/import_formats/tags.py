"""Tags and folders, however they are written down."""

import json
import re
from collections.abc import Iterable

from readdo.import_formats import texts

TAGS_MAX, TAG_MAX = 50, 80
_LOOKED_AT = 20_000  # characters of a cell; fifty tags are shorter
_NAMES = ("name", "label", "title", "tag")
# As Python shows a list. What is not closed ends with the text, so that no text is looked at twice.
_QUOTED = re.compile(r"'((?:[^'\\]++|\\.?)*+)'?|\"((?:[^\"\\]++|\\.?)*+)\"?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ANY = ("|", ";", "；", "、", ",", "，")
# What products call the place where everything lies that was put nowhere: it says nothing.
_NO_FOLDERS = frozenset(
    name.casefold()
    for name in (
        *("Bookmarks", "Bookmarks bar", "Bookmarks toolbar", "Bookmarks menu", "Other bookmarks", "Mobile bookmarks"),
        *(
            "Personal toolbar folder",
            "Unfiled bookmarks",
            "Unsorted bookmarks",
            "Favorites",
            "Favorites bar",
            "Favourites",
        ),
        *(
            "Favourites bar",
            "Imported bookmarks",
            "BookmarksBar",
            "BookmarksMenu",
            "Reading list",
            "Tab group favorites",
        ),
        *("Unsorted", "Unorganized", "Uncategorized", "Unlabeled", "Unread", "Inbox", "Root", "Home"),
        *(
            "书签",
            "书签栏",
            "书签工具栏",
            "书签菜单",
            "其他书签",
            "移动设备书签",
            "手机书签",
            "收藏夹",
            "收藏夹栏",
            "收藏夹菜单",
        ),
        *(
            "其他收藏夹",
            "导入的书签",
            "个人收藏",
            "阅读列表",
            "未分类",
            "未归类",
            "書籤列",
            "書籤",
            "其他書籤",
            "行動裝置書籤",
            "我的最愛",
        ),
    )
)


def tidy(found: Iterable[object]) -> tuple[str, ...]:
    """Each once, whatever its case, in the order they came."""
    kept: dict[str, str] = {}
    for value in found:
        tag = texts.one_line(value, TAG_MAX)
        if tag:
            kept.setdefault(tag.casefold(), tag)
        if len(kept) == TAGS_MAX:
            break
    return tuple(kept.values())


def split(value: object, *separators: str) -> list[object]:
    """A list, a list as text (JSON's, or as Python shows one), or words between the separators."""
    if isinstance(value, list | tuple):
        return [_name(one) for one in value[: TAGS_MAX * 4]]
    shown = texts.said(value)[:_LOOKED_AT].strip()
    if shown.startswith("[") and shown.endswith("]"):
        return _listed(shown)
    separator = next((mark for mark in separators or _ANY if mark in shown), None)
    return list(shown.split(separator)) if separator else [shown]


def folders(path: Iterable[object]) -> list[object]:
    """A tag for each level; the product's own folders are none."""
    return [name for name in path if texts.one_line(name, TAG_MAX).casefold() not in _NO_FOLDERS]


def _name(one: object) -> object:
    if isinstance(one, dict):
        return next((one[name] for name in _NAMES if isinstance(one.get(name), str)), "")
    return one


def _listed(shown: str) -> list[object]:
    try:
        found = json.loads(shown)
        return split(found) if isinstance(found, list) else []
    except (ValueError, RecursionError):
        pass
    quoted = [_ESCAPED.sub(r"\1", one or other) for one, other in _QUOTED.findall(shown[1:-1])]
    return list(quoted or shown[1:-1].split(","))
