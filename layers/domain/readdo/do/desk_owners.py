"""Who has a Do desk: noted with the first task, so that the heartbeat can say how all do and look at no task."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from readdo import metrics
from readdo.do import health
from readdo.lifecycle.task import BLOCKED, TO_DO
from readdo.lifecycle.write import Table, Write, WriteRefused, put_new
from readdo.store import keys
from readdo.store.table import DynamoTable


def note(table: Table, owner: str, at: str) -> None:
    if table.get(keys.desk(owner), consistent=False) is None:
        with suppress(WriteRefused):  # somebody noted it at the same time
            table.write(put_new(keys.desk(owner), {"owner": owner, "created_at": at}))


def all_of(table: DynamoTable) -> Iterator[dict[str, Any]]:
    yield from table.query_all(keys.partition(keys.desks()), keys.stretch(keys.owner("")))


def beat(table: DynamoTable, at: str) -> None:
    """The heartbeat was here, and this is how the desks of all owners do together."""
    table.write(Write(keys.heartbeat(), sets={"at": at}))
    waiting = blocked = 0
    for desk in all_of(table):
        states = health.states(table, desk["owner"])
        waiting, blocked = waiting + states[TO_DO], blocked + states[BLOCKED]
    metrics.desks(waiting, blocked)
