"""The newest moves are in the item's row, older ones in separate rows; together they are complete."""

import threading
from typing import Any, cast

import pytest

from readdo import clock
from readdo.lifecycle.advance import Change, advance, move
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Key, Write
from readdo.read import history, item_keys, views
from readdo.read.rows import ItemRow
from readdo.store import keys
from readdo.store.table import DynamoTable
from support.world import World

START = "2026-01-05T07:31:00.000Z"


def item(table: DynamoTable, item_id: str) -> Key:
    key = item_keys.item("us", item_id)
    entry = {"at": START, "by": "user", "what": "capture", "to": "CAPTURED"}
    row = {"id": item_id, "owner": "us", "status": "CAPTURED", "version": 1, "history": [entry], "updated_at": START}
    table.write(Write(key, "put", row=row))
    return key


def make_moves(table: DynamoTable, key: Key, count: int, *, folds: bool, step: int = 1) -> dict[str, Any]:
    """Move an item back and forth between ARCHIVED and QUEUED.

    `step` is the number of seconds between two moves by their clocks.
    """
    row = table.get(key) or {}
    for n in range(count):
        trigger = "unarchive_anew" if row["status"] == "ARCHIVED" else "archive"
        at = clock.after(START, step * (n + 1))
        row = advance(table, move(ITEM, trigger, key, who="user", at=at, change=Change()))
        if folds:
            history.fold(table, cast("ItemRow", row))
    return table.get(key) or {}


def chain(table: DynamoTable, row: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(entry["from"], entry["to"]) for entry in views.history(history.full_history(table, cast("ItemRow", row)))]


def expected_chain(count: int) -> list[tuple[str | None, str]]:
    names = ["CAPTURED", *(("ARCHIVED", "QUEUED")[n % 2] for n in range(count))]
    return list(zip([None, *names], names, strict=False))


def test_fifty_moves_stay_in_the_item(table: DynamoTable) -> None:
    row = make_moves(table, item(table, "fifty"), 49, folds=True)
    assert len(row["history"]) == 50
    assert table.query(keys.partition(item_keys.item_partition("us", "fifty"))).rows == []


def test_older_moves_are_folded_into_separate_rows(table: DynamoTable) -> None:
    row = make_moves(table, item(table, "many"), 110, folds=True)
    assert len(row["history"]) <= 50
    assert chain(table, row) == expected_chain(110)
    assert [e["at"] for e in history.full_history(table, cast("ItemRow", row))] == [
        clock.after(START, n) for n in range(111)
    ]


@pytest.mark.parametrize(("step", "name"), [(0, "moment"), (-1, "backwards")])
def test_moves_stay_in_order_despite_equal_or_decreasing_times(table: DynamoTable, step: int, name: str) -> None:
    row = make_moves(table, item(table, name), 110, folds=True, step=step)
    assert chain(table, row) == expected_chain(110)
    assert [entry["at"] for entry in history.full_history(table, cast("ItemRow", row))] == [
        clock.after(START, step * n) for n in range(111)
    ]


def test_fold_gives_way_to_a_concurrent_move(table: DynamoTable) -> None:
    key = item(table, "overtaken")
    stale_row = make_moves(table, key, 60, folds=False)
    make_moves(table, key, 1, folds=False)
    assert history.fold(table, cast("ItemRow", stale_row)) is False
    row = table.get(key) or {}
    assert chain(table, row) == expected_chain(61)
    assert history.fold(table, cast("ItemRow", row)) is True
    assert chain(table, table.get(key) or {}) == expected_chain(61)


def test_concurrent_folds_fold_once(table: DynamoTable) -> None:
    key = item(table, "race")
    stale_row = make_moves(table, key, 70, folds=False)
    folded: list[bool] = []
    threads = [
        threading.Thread(target=lambda: folded.append(history.fold(table, cast("ItemRow", stale_row))))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert folded.count(True) == 1
    assert chain(table, table.get(key) or {}) == expected_chain(70)


def test_repeated_exports_do_not_grow_the_item(deployed: World) -> None:
    """Specification 5, §2: the item keeps its last 50 moves. Exports of a shipped item are moves, too."""
    item_id = deployed.capture()
    deployed.settle()
    assert deployed.api("POST", f"/items/{item_id}/ship").status == 200, deployed.row(item_id)
    row = deployed.row(item_id)
    filler = [{"at": START, "by": "system:export", "what": "export_done", "to": "SHIPPED"}] * 60
    deployed.table.write(Write(item_keys.item("me", item_id), sets={"history": [*row["history"], *filler]}))
    for key in ("a", "b"):
        body = {"export_key": key, "formats": ["caption"]}
        assert deployed.api("POST", f"/items/{item_id}/export", body).status == 202
        deployed.settle()
    assert len(deployed.row(item_id)["history"]) <= 50
