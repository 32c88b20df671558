"""Access to DynamoDB. No other package calls it."""

from typing import TYPE_CHECKING

from readdo.runtime import setting

if TYPE_CHECKING:
    from readdo.store.table import DynamoTable


def open_table() -> "DynamoTable":
    """The table of the stack. Tests replace this function."""
    from readdo.store.table import DynamoTable  # noqa: PLC0415 - some importers need only the keys

    return DynamoTable(setting("TABLE_NAME"))
