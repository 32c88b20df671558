"""Print tasks and runs: as tables, and one task with its runs, evidence and history."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from terminal import time_format
from terminal.item_detail import history, offer
from terminal.screen import Screen, print_tabs
from terminal.text import cut, fit, widest
from terminal.words import COLOURS, OPEN, Row, next_commands, short, task_title

TASK_COLUMNS = ("id", "status", "priority", "intent", "project", "created_at", "worker", "title", "blocked_message")
RUN_COLUMNS = (
    *("id", "status", "intent", "task_id", "item_id", "attempt", "worker", "started_at", "duration_seconds"),
    *("exit_code", "error_kind", "error_message"),
)
_INTENT, _STATE = 16, 9
_FACTS = ("intent", "priority", "project", "worker")


def tasks(screen: Screen, rows: Sequence[Row], now: datetime) -> None:
    if screen.columns is None:
        print_tabs([row.get(name, "") for name in TASK_COLUMNS] for row in rows)
        return
    wide = widest((str(row["intent"]) for row in rows), _INTENT)
    columns_before = 8 + 2 + _STATE + 1 + 2 + 2 + wide + 2
    for row in rows:
        state, intent = str(row["status"]), str(row["intent"])
        detail = _detail(row, now)
        room = screen.columns - columns_before - (len(detail) + 2 if detail else 0)
        screen.line(
            (f"{short(str(row['id']))}  ", "bold"),
            (fit(state, _STATE + 1), COLOURS.get(state, "")),
            (f"{row['priority']}  ", "red" if row["priority"] == "P0" else ""),
            (fit(intent, wide) + "  ", "dim"),
            fit(str(row.get("title", "")), room),
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
        print_tabs([row.get(name, "") for name in RUN_COLUMNS] for row in rows)
        return
    wide = widest((str(row["intent"]) for row in rows), _INTENT)
    for row in rows:
        state, source_id = str(row["status"]), str(row.get("task_id") or row.get("item_id") or "")
        screen.line(
            (f"{short(str(row['id']))}  ", "bold"),
            (fit(state, _STATE + 1), COLOURS.get(state, "")),
            (fit(str(row["intent"]), wide) + "  ", "dim"),
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


def show_task(screen: Screen, data: Row, evidence: Row, payload: Any, now: datetime) -> None:
    """Print a task. `payload` is raw: JSON escapes control characters itself and keeps line breaks."""
    task = data["task"]
    _header(screen, task, now)
    if payload:
        screen.heading("Payload")
        for line in json.dumps(payload, ensure_ascii=False, indent=2).split("\n"):
            screen.paragraph(line, first="  ")
    if data["runs"]:
        screen.heading("Runs")
        for run in data["runs"]:
            _run(screen, run, evidence.get(run["id"], []), now)
    history(screen, data["history"])
    offer(screen, next_commands(data["available_actions"], {}))


def _header(screen: Screen, task: Row, now: datetime) -> None:
    screen.paragraph(task_title(task), "bold")
    facts = [str(task["status"]), short(task["id"]), *(str(task[name]) for name in _FACTS if task.get(name))]
    facts += [time_format.ago(task["created_at"], now), *(f"#{tag}" for tag in task.get("tags", []))]
    facts += [f"due {task['due_date']}"] if task.get("due_date") else []
    screen.paragraph(" · ".join(facts), COLOURS.get(task["status"], ""))
    if task.get("blocked_message"):
        screen.paragraph(task["blocked_message"], "yellow", first=("! ", "yellow"))
    if task.get("next_try_at"):
        screen.line(f"  Next try {time_format.until(task['next_try_at'], now)}.")
    for name, word in (("depends_on", "After"), ("of_item", "A todo of")):
        ids = task.get(name) or []
        if ids:
            screen.paragraph(", ".join(short(i) for i in ([ids] if isinstance(ids, str) else ids)), first=f"{word}  ")


def _run(screen: Screen, run: Row, evidence: Sequence[Row], now: datetime) -> None:
    state = str(run["status"])
    facts = [
        short(run["id"]),
        lasted(run, now),
        str(run.get("worker", "")),
        time_format.ago(run["created_at"], now),
    ]
    facts += [f"exit code {run['exit_code']}"] if run.get("exit_code") else []
    screen.paragraph(
        " · ".join(fact for fact in facts if fact), first=(f"  {run['attempt']}. {state}  ", COLOURS.get(state, ""))
    )
    if run.get("error_message"):
        screen.paragraph(run["error_message"], "red", first="     ")
    if run.get("summary", "").rstrip(".") not in ("", run.get("error_message", "").rstrip(".")):
        screen.paragraph(run.get("summary", ""), "dim", first="     ")
    for one in evidence:
        note = "" if one["stored"] else ", not uploaded"
        screen.paragraph(f"{one['type']}: {one['name']}, {one['bytes']:,} bytes{note}", "cyan", first="     ")
