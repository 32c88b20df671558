"""Health of a Do desk, computed from counters, so that the cost does not grow with the number of runs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock, runtime
from readdo.do import task_rows, views
from readdo.do.rows import RunRow
from readdo.do.task_rows import OPEN_TASKS
from readdo.lifecycle.run import CANCELLED, ENDED, FAILED, SUCCEEDED, TIMEOUT
from readdo.lifecycle.task import BLOCKED, OPEN, TO_DO
from readdo.lifecycle.write import Table, Write, WriteRefused, put_new
from readdo.store import keys
from readdo.store.table import DynamoTable

OK, DEGRADED, UNHEALTHY, NO_DATA = "ok", "degraded", "unhealthy", "no_data"
WORST_FIRST = (UNHEALTHY, DEGRADED, OK)
HOURS, HOURS_OF_A_WEEK = 24, 168
_LATEST_RUNS_READ = 20


@dataclass(frozen=True)
class Figure:
    """A figure with its limits. `rises`: a higher value is worse. Without `degraded` it only warns."""

    name: str
    ok: float
    degraded: float | None
    rises: bool = True

    def status_of(self, value: float | None) -> str:
        if value is None:
            return NO_DATA
        if value < self.ok if self.rises else value > self.ok:
            return OK
        if self.degraded is None:
            return DEGRADED
        return DEGRADED if (value <= self.degraded if self.rises else value >= self.degraded) else UNHEALTHY


RATE = Figure("success_rate", ok=95, degraded=80, rises=False)
QUEUE, BLOCKED_TASKS = Figure("queue", ok=10, degraded=50), Figure("blocked", ok=3, degraded=10)
DURATION, FAILURES = Figure("mean_duration", ok=300, degraded=None), Figure("failures", ok=5, degraded=None)
DECIDING, WARNING = (RATE, QUEUE, BLOCKED_TASKS), (DURATION, FAILURES)


def health(table: DynamoTable, owner: str, at: str) -> dict[str, Any]:
    now, ended = states(table, owner), _sum(_hours(table, owner, at, HOURS).values())
    values = _values(now, ended)
    figures = {figure.name: _figure(figure, values[figure.name]) for figure in (*DECIDING, *WARNING)}
    statuses = {figures[figure.name]["status"] for figure in DECIDING}
    return {
        "health": next((word for word in WORST_FIRST if word in statuses), OK),
        "figures": figures,
        "queueLength": now[TO_DO],
        "stats": {**{state: now[state] for state in OPEN}, **{state: ended[state] for state in ENDED}},
        "lastRun": _last_run(table, owner, at),
        "lastHeartbeat": (table.get(task_rows.heartbeat_key()) or {}).get("at"),
    }


def _values(now: Counter[str], ended: Counter[str]) -> dict[str, float | None]:
    proven = ended[SUCCEEDED] + ended[FAILED] + ended[TIMEOUT]
    runs = proven + ended[CANCELLED]
    return {
        "success_rate": round(100 * ended[SUCCEEDED] / proven, 1) if proven else None,
        "queue": now[TO_DO],
        "blocked": now[BLOCKED],
        "mean_duration": round(ended["seconds"] / runs, 1) if runs else None,
        "failures": ended[FAILED],
    }


def _figure(figure: Figure, value: float | None) -> dict[str, Any]:
    limits = {"ok": figure.ok} | ({"degraded": figure.degraded} if figure.degraded is not None else {})
    return {"value": value, "status": figure.status_of(value), "limits": limits, "decides": figure in DECIDING}


def week(table: DynamoTable, owner: str, at: str) -> list[dict[str, Any]]:
    """The ended runs per hour, oldest first. An hour without ended runs has zeros."""
    counted = _hours(table, owner, at, HOURS_OF_A_WEEK)
    return [{"hour": f"{hour}:00:00.000Z", **_hour(counted.get(hour, Counter()))} for hour in _hours_until(at)]


def _hour(ended: Counter[str]) -> dict[str, Any]:
    runs = sum(ended[state] for state in ENDED)
    mean = round(ended["seconds"] / runs, 1) if runs else None
    return {**{state: ended[state] for state in ENDED}, "mean_duration": mean}


def _hours_until(at: str) -> list[str]:
    return [clock.after(at, -3600 * back)[:13] for back in reversed(range(HOURS_OF_A_WEEK))]


def states(table: DynamoTable, owner: str) -> Counter[str]:
    return OPEN_TASKS.read(table, owner)


def _hours(table: DynamoTable, owner: str, at: str, count: int) -> dict[str, Counter[str]]:
    """The counters of the last `count` hours, including the current hour."""
    first = clock.after(at, -3600 * (count - 1))[:13]
    between = ("sk", f"{task_rows.HOURS_PREFIX}{first}", f"{task_rows.HOURS_PREFIX}{at[:13]}#{keys.LAST}")
    by_hour: dict[str, Counter[str]] = {}
    for row in table.query_all(keys.partition(task_rows.counts_of(owner)), between):
        hour = row["sk"].removeprefix(task_rows.HOURS_PREFIX).partition("#")[0]
        by_hour.setdefault(hour, Counter()).update(_numbers(row))
    return by_hour


def _sum(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(_numbers(row))
    return total


def _numbers(row: Mapping[str, Any]) -> dict[str, int]:
    return {name: value for name, value in row.items() if name in (*ENDED, "seconds")}


def _last_run(table: DynamoTable, owner: str, at: str) -> dict[str, Any] | None:
    where, newest = keys.partition(task_rows.runs_of(owner)), keys.stretch(task_rows.RUN_PREFIX)
    page = table.query(where, between=newest, newest_first=True, limit=_LATEST_RUNS_READ)
    rows = (row for row in page.rows if "task_id" in row and row.get("kept_until", "~") > at)
    return next((views.run(cast("RunRow", row)) for row in rows), None)


def register_owner(table: Table, owner: str, at: str) -> None:
    if table.get(task_rows.desk_key(owner), consistent=False) is None:
        with suppress(WriteRefused):  # a concurrent request stored it
            table.write(put_new(task_rows.desk_key(owner), {"owner": owner, "created_at": at}))


def owners_with_tasks(table: DynamoTable) -> Iterator[dict[str, Any]]:
    yield from table.query_all(keys.partition(task_rows.desks_partition()), keys.stretch(keys.owner("")))


def record_heartbeat(table: DynamoTable, at: str) -> None:
    """Store the time of the heartbeat, and emit the number of waiting and blocked tasks of all owners."""
    table.write(Write(task_rows.heartbeat_key(), sets={"at": at}))
    waiting = blocked = 0
    for desk in owners_with_tasks(table):
        counted = states(table, desk["owner"])
        waiting, blocked = waiting + counted[TO_DO], blocked + counted[BLOCKED]
    runtime.record_queue(waiting, blocked)
