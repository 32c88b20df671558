"""Parse tags and folders in all notations that products use."""

import json
import re
from collections.abc import Iterable

from readdo.transfer.import_formats import texts

TAGS_MAX, TAG_MAX = 50, 80
_CELL_MAX = 20_000  # characters of a cell; TAGS_MAX tags are shorter
_NAMES = ("name", "label", "title", "tag")
# A Python list. An unclosed string ends with the text, so that no text is scanned twice.
_QUOTED = re.compile(r"'((?:[^'\\]++|\\.?)*+)'?|\"((?:[^\"\\]++|\\.?)*+)\"?", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SEPARATORS = ("|", ";", "；", "、", ",", "，")
# Default folders of browsers and products, which say nothing about a page.
_DEFAULT_FOLDERS = frozenset(
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


def tidy(values: Iterable[object]) -> tuple[str, ...]:
    """Each tag once, regardless of case, in the original order."""
    unique: dict[str, str] = {}
    for value in values:
        tag = texts.one_line(value, TAG_MAX)
        if tag:
            unique.setdefault(tag.casefold(), tag)
        if len(unique) == TAGS_MAX:
            break
    return tuple(unique.values())


def split(value: object, *separators: str) -> list[object]:
    """Accepts a list, a list as text (JSON or Python), or words between separators."""
    if isinstance(value, list | tuple):
        return [_name(one) for one in value[: TAGS_MAX * 4]]
    text = texts.to_text(value)[:_CELL_MAX].strip()
    if text.startswith("[") and text.endswith("]"):
        return _parse_list(text)
    separator = next((mark for mark in separators or _SEPARATORS if mark in text), None)
    return list(text.split(separator)) if separator else [text]


def folders(path: Iterable[object]) -> list[object]:
    """A tag for each level, without the products' default folders."""
    return [name for name in path if texts.one_line(name, TAG_MAX).casefold() not in _DEFAULT_FOLDERS]


def _name(tag: object) -> object:
    if isinstance(tag, dict):
        return next((tag[name] for name in _NAMES if isinstance(tag.get(name), str)), "")
    return tag


def _parse_list(text: str) -> list[object]:
    try:
        values = json.loads(text)
        return split(values) if isinstance(values, list) else []
    except (ValueError, RecursionError):
        pass
    quoted = [_ESCAPED.sub(r"\1", single or double) for single, double in _QUOTED.findall(text[1:-1])]
    return list(quoted or text[1:-1].split(","))
