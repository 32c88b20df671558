"""Database in Notion: missing columns are added, the owner's other columns are left alone."""

from collections.abc import Mapping
from typing import Any

from readdo.integrations.notion.columns import COLUMNS
from readdo.integrations.notion.notion import LATER, Notion, NotionError, NotThisPage, PageIsGone
from readdo.messages import message


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
