"""Run one action for up to a hundred items. A failure of one item does not stop the others."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from readdo.lifecycle.write import Table, WriteRefused
from readdo.store import idempotency

AT_ONCE = 8
OPERATION = "batch"
One = Callable[[str, str], dict[str, Any]]  # (item id, key) → its result


def run_batch(ids: Sequence[str], key: str, one: One) -> list[dict[str, Any]]:
    """Results are in the order of the request. An item's idempotency key is the caller's key and its id."""

    def run_one(item_id: str) -> dict[str, Any]:
        return {"id": item_id, **one(item_id, f"{key}:{item_id}" if key else "")}

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(run_one, dict.fromkeys(ids)))


def bind_key(table: Table, owner: str, key: str, print_: str, at: str) -> None:
    """Bind a key to one batch: another batch with this key is refused before anything is done."""
    if not key or idempotency.first_answer(table, owner, OPERATION, key, print_, at) is not None:
        return
    try:
        table.write(idempotency.record(owner, OPERATION, key, print_, {}, at))
    except WriteRefused:
        idempotency.first_answer(table, owner, OPERATION, key, print_, at)
