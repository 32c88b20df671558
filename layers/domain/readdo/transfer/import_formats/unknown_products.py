"""Tables and JSON of unknown products, read by common field names."""

import re
from collections.abc import Iterable
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats import json_data, tables, values
from readdo.transfer.import_formats.import_line import BadFile, BadLine, Entries, FieldNames, entry
from readdo.transfer.import_formats.source_file import ImportFormat, SourceFile

# Our own names come first. In lower case.
_NOTES = (
    *("intent_text", "intent", "note", "notes", "comment", "comments", "why", "selection", "highlights", "highlight"),
    *("extended", "备注", "笔记", "说明", "備註"),
)
_NAMES = FieldNames(
    url=tables.LINK_COLUMNS,
    title=("title", "name", "page title", "headline", "标题", "名称", "標題"),
    notes=tuple((name,) for name in _NOTES),
    folder=("folder", "collection", "list", "文件夹", "收藏夹", "資料夾"),
    tags=(
        *("tags", "labels", "tag", "label", "keywords", "categories", "category"),
        *("标签", "分类", "標籤"),
    ),
    saved_at=(
        *("saved_at", "created_at", "createdat", "savedat", "created", "saved", "date_added", "dateadded"),
        *("time_added", "saved date", "date added", "added", "date", "time", "timestamp", "last interaction date"),
        *("日期", "时间", "保存时间"),
    ),
    archived=("archived", "is_archived", "isarchived", "read", "is_read", "isread", "done", "已读", "已归档"),
    starred=(
        *("starred", "is_starred", "favorite", "favourite", "favorited", "is_favorite", "is_fav", "important"),
        *("pinned", "星标", "收藏"),
    ),
    content=("content", "html", "正文"),  # not `text`: that is mostly a link's title
    language=("language", "lang", "语言"),
    state=("status", "state", "location"),
    archived_states=("archive", "archived", "read", "done", "已读", "已归档"),
)
_LINK_FIELDS = {*_NAMES.url, *_NAMES.content}
_LISTS = ("items", "bookmarks", "links", "articles", "entries", "data", "results", "documents")
_SAMPLE = 20
_FIRST = re.compile(r"\s*+(\{[^\r\n]*+)")
_BROKEN = re.compile(r"\s*+(?:\{|\[\s*+(?:[\[{\"]|$))")  # Markdown may begin with a bracket, too


def _read_table(file: SourceFile) -> Entries:
    return tables.entries(file.text, file.table, _NAMES)


def _read_json(file: SourceFile) -> Entries:
    return _read("place.item", _items(file.data))


def _is_json_lines(file: SourceFile) -> bool:
    first = _FIRST.match(file.text) if file.data is json_data.NO_JSON else None
    return first is not None and _has_link(json_data.parse(first[1]))


def _read_json_lines(file: SourceFile) -> Entries:
    lines = values.split_lines(file.text)
    return _read("place.line", (json_data.parse(line) if line.strip() else None for line in lines))


def _is_broken_json(file: SourceFile) -> bool:
    return file.data is json_data.NO_JSON and _BROKEN.match(file.head) is not None


def _refuse_broken_json(file: SourceFile) -> Entries:
    raise BadFile(message("import_file.broken_json", file=file.shown))


def _read(unit: str, items: Iterable[Any]) -> Entries:
    for number, item in enumerate(items, start=1):
        place = message(unit, n=number)
        if isinstance(item, dict):
            yield entry(place, {name.casefold(): field for name, field in item.items()}, _NAMES)
        elif isinstance(item, str):
            yield entry(place, {"url": item}, _NAMES)
        elif item is not None:
            yield BadLine(place, message("import_line.no_link_object"))


def _items(data: Any) -> list[Any]:
    if isinstance(data, dict):
        items = next((data[name] for name in _LISTS if isinstance(data.get(name), list)), None)
        return [data] if items is None else items
    return data if isinstance(data, list) else []


def _has_link(item: Any) -> bool:
    if isinstance(item, dict):
        return any(isinstance(item.get(name), str) for name in item if name.casefold() in _LINK_FIELDS)
    return isinstance(item, str) and item.lstrip()[:4].lower() == "http"


TABLE = ImportFormat("table", lambda file: bool(file.table.columns), _read_table)
JSON = ImportFormat("json", lambda file: any(map(_has_link, _items(file.data)[:_SAMPLE])), _read_json)
JSON_LINES = ImportFormat("json", _is_json_lines, _read_json_lines)
BROKEN_JSON = ImportFormat("json", _is_broken_json, _refuse_broken_json)
