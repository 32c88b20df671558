"""Owners of a Do desk, stored with their first task, so that the heartbeat need not read any tasks."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from readdo import metrics
from readdo.do import health, task_keys
from readdo.lifecycle.task import BLOCKED, TO_DO
from readdo.lifecycle.write import Table, Write, WriteRefused, put_new
from readdo.store import keys
from readdo.store.table import DynamoTable


def note(table: Table, owner: str, at: str) -> None:
    if table.get(task_keys.desk(owner), consistent=False) is None:
        with suppress(WriteRefused):  # a concurrent request stored it
            table.write(put_new(task_keys.desk(owner), {"owner": owner, "created_at": at}))


def all_of(table: DynamoTable) -> Iterator[dict[str, Any]]:
    yield from table.query_all(keys.partition(task_keys.desks()), keys.stretch(keys.owner("")))


def beat(table: DynamoTable, at: str) -> None:
    """Store the time of the heartbeat, and emit the number of waiting and blocked tasks of all owners."""
    table.write(Write(task_keys.heartbeat(), sets={"at": at}))
    waiting = blocked = 0
    for desk in all_of(table):
        states = health.states(table, desk["owner"])
        waiting, blocked = waiting + states[TO_DO], blocked + states[BLOCKED]
    metrics.desks(waiting, blocked)
