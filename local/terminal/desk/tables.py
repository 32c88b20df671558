"""Print tasks and runs: on a terminal one or two lines each, in a pipe tab-separated lines."""

from collections.abc import Sequence
from datetime import datetime

import click

from terminal import time_format
from terminal.desk.words import COLOURS, OPEN, Row, short
from terminal.screen import Screen
from terminal.text import cut, pad, widest

TASK_COLUMNS = ("id", "status", "priority", "intent", "project", "created_at", "worker", "title", "blocked_message")
RUN_COLUMNS = (
    *("id", "status", "intent", "task_id", "item_id", "attempt", "worker", "started_at", "duration_seconds"),
    *("exit_code", "error_kind", "error_message"),
)
_INTENT, _STATE = 16, 9


def tasks(screen: Screen, rows: Sequence[Row], now: datetime) -> None:
    if screen.columns is None:
        _lines(rows, TASK_COLUMNS)
        return
    wide = widest((str(row["intent"]) for row in rows), _INTENT)
    columns_before = 8 + 2 + _STATE + 1 + 2 + 2 + wide + 2
    for row in rows:
        state, intent = str(row["status"]), str(row["intent"])
        detail = _detail(row, now)
        room = screen.columns - columns_before - (len(detail) + 2 if detail else 0)
        screen.line(
            (f"{short(str(row['id']))}  ", "bold"),
            (pad(state, _STATE + 1), COLOURS.get(state, "")),
            (f"{row['priority']}  ", "red" if row["priority"] == "P0" else ""),
            (pad(cut(intent, wide), wide) + "  ", "dim"),
            pad(cut(str(row.get("title", "")), room), room),
            ("  " + detail if detail else "", "dim"),
        )
        if row.get("blocked_message"):
            screen.line(" " * 10, (cut(str(row["blocked_message"]), screen.columns - 10), "yellow"))


def _detail(row: Row, now: datetime) -> str:
    if row["status"] == "doing":
        return cut(str(row.get("worker", "")), 20)
    if again := row.get("next_try_at"):
        return time_format.until(again, now)
    return f"due {row['due_date']}" if row.get("due_date") and row["status"] in OPEN else ""


def runs(screen: Screen, rows: Sequence[Row], now: datetime) -> None:
    if screen.columns is None:
        _lines(rows, RUN_COLUMNS)
        return
    wide = widest((str(row["intent"]) for row in rows), _INTENT)
    for row in rows:
        state, source_id = str(row["status"]), str(row.get("task_id") or row.get("item_id") or "")
        screen.line(
            (f"{short(str(row['id']))}  ", "bold"),
            (pad(state, _STATE + 1), COLOURS.get(state, "")),
            (pad(cut(str(row["intent"]), wide), wide) + "  ", "dim"),
            f"{short(source_id):8}  {lasted(row, now):>7}  ",
            (
                cut(f"{time_format.ago(row['created_at'], now)}  {row.get('worker', '')}", screen.columns - 40 - wide),
                "dim",
            ),
        )
        if row.get("error_message"):
            screen.line(" " * 8, (cut(str(row["error_message"]), screen.columns - 8), "red"))


def lasted(run: Row, now: datetime) -> str:
    if "duration_seconds" in run:
        return time_format.lasted(run["duration_seconds"])
    started = time_format.read(run.get("started_at"))
    return time_format.ran((now - started).total_seconds()) if started else ""


def _lines(rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Print tab-separated lines with fixed columns, for `cut -f` and `awk`."""
    for row in rows:
        click.echo("\t".join(str(row.get(name, "")) for name in columns))
