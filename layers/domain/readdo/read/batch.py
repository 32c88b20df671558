"""One action for up to a hundred items: each has its own answer, and one that fails does not hold up the others."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from readdo.lifecycle.write import Table, WriteRefused
from readdo.store import idempotency

AT_ONCE = 8
OPERATION = "batch"
One = Callable[[str, str], dict[str, Any]]  # (item, key) → what is told of it


def in_turn(ids: Sequence[str], key: str, one: One) -> list[dict[str, Any]]:
    """In the order that was asked for, whatever ends first. Each item's key is made of the caller's and its id."""

    def of(item_id: str) -> dict[str, Any]:
        return {"id": item_id, **one(item_id, f"{key}:{item_id}" if key else "")}

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(of, dict.fromkeys(ids)))


def promised(table: Table, owner: str, key: str, print_: str, at: str) -> None:
    """A key stands for one batch: with another it is refused before anything is done."""
    if not key or idempotency.first_answer(table, owner, OPERATION, key, print_, at) is not None:
        return
    try:
        table.write(idempotency.record(owner, OPERATION, key, print_, {}, at))
    except WriteRefused:
        idempotency.first_answer(table, owner, OPERATION, key, print_, at)
