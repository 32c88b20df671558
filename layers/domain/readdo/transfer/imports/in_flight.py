"""Items of imports in flight, and how many more an import may add.

Long work of an owner shares the places for functions that the account has: items of imports, proof jobs, and our own
worker of the Collect desk. An import takes only the places that the others leave. An item that waits for its retry is
in flight, but takes no place.
"""

from collections.abc import Sequence
from typing import cast

from readdo.collect import collect_keys
from readdo.lifecycle.advance import living
from readdo.lifecycle.collect_batch import OPEN, OWN_WORKER
from readdo.lifecycle.import_job import PAUSED, RUNNING
from readdo.proof import job_places
from readdo.read import item_keys
from readdo.read.item_keys import BANDS
from readdo.read.rows import ItemRow
from readdo.runtime import setting
from readdo.store import keys
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys
from readdo.transfer.rows import ImportRow

IN_FLIGHT_MAX = 50  # of an owner's imports: the row of an import holds the ids of its items
_RECENT_BATCHES = 10  # a batch has an hour, and our own worker takes one at a time


def items_in_flight(table: DynamoTable, row: ImportRow) -> list[ItemRow]:
    """Items that Read→Do still works on: they have a due time."""
    rows = table.get_all(item_keys.item(row["owner"], item_id) for item_id in row["in_flight"])
    moving = {item["id"]: cast("ItemRow", item) for item in rows if living(item) and "due_at" in item}
    return [moving[item_id] for item_id in row["in_flight"] if item_id in moving]


def free_places(table: DynamoTable, row: ImportRow, flying: Sequence[ItemRow]) -> int:
    """Imports of one owner run in the order of their ids.

    Items of a paused import count, too, but it does not check them itself.
    """
    where, between = keys.partition(keys.owner(row["owner"])), keys.stretch(transfer_keys.IMPORT_PREFIX)
    others = [
        other
        for other in (cast("ImportRow", row) for row in table.query_all(where, between))
        if other["id"] != row["id"] and other["status"] in (RUNNING, PAUSED)
    ]
    if any(other["status"] == RUNNING and other["id"] < row["id"] for other in others):
        return 0
    items = [*flying, *(item for other in others for item in items_in_flight(table, other))]
    processed = sum(item["inbox"].startswith(BANDS["PROCESSING"]) for item in items)
    others_work = job_places.taken(table, row["owner"]) + _own_batches(table, row["owner"])
    places = int(setting("MAX_IN_FLIGHT", "8")) - processed - others_work
    return min(places, IN_FLIGHT_MAX - len(items))


def _own_batches(table: DynamoTable, owner: str) -> int:
    """Batches on which our own worker of the Collect desk works."""
    where, between = keys.partition(collect_keys.pool(owner)), keys.stretch(collect_keys.BATCH_PREFIX)
    newest = table.query(where, between=between, newest_first=True, limit=_RECENT_BATCHES)
    return sum(row["status"] == OPEN and row["worker"] == OWN_WORKER for row in newest.rows)
