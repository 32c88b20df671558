"""The imports of an owner, newest first."""

from typing import Any

from readdo.store import keys
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys

LISTED_MAX = 100


def imports_of(table: DynamoTable, owner: str) -> list[dict[str, Any]]:
    where, between = keys.partition(keys.owner(owner)), keys.stretch(transfer_keys.IMPORT_PREFIX)
    return table.query(where, between=between, newest_first=True, limit=LISTED_MAX).rows
