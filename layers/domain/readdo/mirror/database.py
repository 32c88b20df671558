"""The database in Notion: it gets the columns that it lacks, and what else its owner has in it is left alone."""

from collections.abc import Mapping
from typing import Any

from readdo.messages import message
from readdo.mirror.columns import COLUMNS
from readdo.mirror.notion import LATER, Notion, NotionError, NotThisPage, PageIsGone


def not_shown() -> NotionError:
    return NotionError("DATABASE_HIDDEN", message("notion.database_hidden"), LATER)


def unusable(refused: NotThisPage) -> NotionError:
    return NotionError("REFUSED", message("notion.refused", words=str(refused)), LATER)


def prepared(notion: Notion, database: str) -> str:
    """The name of its title's column, once all the others are there."""
    try:
        found = notion.ask("GET", f"/v1/databases/{database}").get("properties", {})
        missing: dict[str, Any] = {name: {kind: {}} for name, kind in COLUMNS.items() if name not in found}
        _no_other_kind(found)
        if missing:
            notion.ask("PATCH", f"/v1/databases/{database}", {"properties": missing})
    except PageIsGone:
        raise not_shown() from None
    except NotThisPage as refused:
        raise unusable(refused) from refused
    return next((name for name, column in found.items() if column.get("type") == "title"), "Name")


def _no_other_kind(found: Mapping[str, Any]) -> None:
    for name, kind in COLUMNS.items():
        there = found.get(name, {}).get("type", kind)
        if there != kind:
            words = message("notion.wrong_column", name=name, there=there, kind=kind)
            raise NotionError("COLUMN_TAKEN", words, LATER)
