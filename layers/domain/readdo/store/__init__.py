"""The only code that talks to DynamoDB."""

from typing import TYPE_CHECKING

from readdo.runtime import setting

if TYPE_CHECKING:
    from readdo.store.table import DynamoTable


def open_table() -> "DynamoTable":
    """The stack's one table. Tests put their own in its place here."""
    from readdo.store.table import DynamoTable  # noqa: PLC0415 - modules below import this package for its keys alone

    return DynamoTable(setting("TABLE_NAME"))
