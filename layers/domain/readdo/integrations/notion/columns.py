"""Columns of the Notion database, and a row's values in Notion's format."""

from collections.abc import Callable, Mapping
from typing import Any

from readdo.integrations.notion.notion import LATER, Notion, NotionError, NotThisPage, PageIsGone
from readdo.messages import message

# The title is not listed: every database has one, under any name.
COLUMNS = {
    "Kind": "select",
    "Status": "select",
    "Priority": "select",
    "Intent": "select",
    "Project": "rich_text",
    "Tags": "multi_select",
    "Due": "date",
    "Created": "date",
    "Started": "date",
    "Completed": "date",
    "Worker": "rich_text",
    "Attempt": "number",
    "Seconds": "number",
    "Exit code": "number",
    "Note": "rich_text",
    "Task": "rich_text",
    "Id": "rich_text",
}
_TEXT_MAX, _OPTION_MAX = 2000, 100  # in UTF-16 code units, as Notion counts


def cut(text: str, limit: int) -> str:
    """Does not cut a character in two."""
    raw = text.encode("utf-16-le", "replace")
    if len(raw) <= 2 * limit:
        return text
    return raw[: 2 * (limit - 1)].decode("utf-16-le", "ignore") + "…"


def properties(title_column: str, title: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """All columns. A column without a value is emptied."""
    columns = {name: _TO_NOTION[kind](values.get(name)) for name, kind in COLUMNS.items()}
    return {title_column: {"title": _text(title)}, **columns}


def same_id(name: str) -> dict[str, Any]:
    """Filter for the page with this id."""
    return {"property": "Id", "rich_text": {"equals": name}}


def _text(value: Any) -> list[dict[str, Any]]:
    return [{"text": {"content": cut(str(value), _TEXT_MAX)}}] if value not in (None, "") else []


def _option(value: Any) -> dict[str, str]:
    return {"name": cut(str(value).replace(",", " "), _OPTION_MAX)}


_TO_NOTION: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "select": lambda value: {"select": _option(value) if value else None},
    "multi_select": lambda value: {"multi_select": [_option(one) for one in value or ()]},
    "rich_text": lambda value: {"rich_text": _text(value)},
    "date": lambda value: {"date": {"start": value} if value else None},
    "number": lambda value: {"number": value},
}


def not_shown() -> NotionError:
    return NotionError("DATABASE_HIDDEN", message("notion.database_hidden"), LATER)


def unusable(refused: NotThisPage) -> NotionError:
    return NotionError("REFUSED", message("notion.refused", words=str(refused)), LATER)


def prepare(notion: Notion, database: str) -> str:
    """Add the missing columns. Returns the name of the title column."""
    try:
        columns = notion.ask("GET", f"/v1/databases/{database}").get("properties", {})
        missing: dict[str, Any] = {name: {kind: {}} for name, kind in COLUMNS.items() if name not in columns}
        _check_types(columns)
        if missing:
            notion.ask("PATCH", f"/v1/databases/{database}", {"properties": missing})
    except PageIsGone:
        raise not_shown() from None
    except NotThisPage as rejected:
        raise unusable(rejected) from rejected
    return next((name for name, column in columns.items() if column.get("type") == "title"), "Name")


def _check_types(columns: Mapping[str, Any]) -> None:
    for name, kind in COLUMNS.items():
        there = columns.get(name, {}).get("type", kind)
        if there != kind:
            words = message("notion.wrong_column", name=name, there=there, kind=kind)
            raise NotionError("COLUMN_TAKEN", words, LATER)
