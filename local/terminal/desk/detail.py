"""Print one task: payload, runs with evidence, history and next commands."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from terminal import history, time_format
from terminal.api import Api, at
from terminal.desk import tables
from terminal.desk.words import COLOURS, Row, short, title_of
from terminal.detail import offer
from terminal.screen import Screen
from terminal.words import next_commands

LOOKED_AT = 5  # the number of newest runs whose evidence is shown
_FACTS = ("intent", "priority", "project", "worker")


def evidence_of(api: Api, runs: Sequence[Row]) -> dict[str, Any]:
    """Map the ids of the newest runs to their evidence."""
    return {str(run["id"]): api.get(at("runs", str(run["id"]))).raw["evidence"] for run in runs[:LOOKED_AT]}


def show(screen: Screen, data: Mapping[str, Any], evidence: Mapping[str, Any], payload: Any, now: datetime) -> None:
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
    history.history(screen, data["history"])
    offer(screen, next_commands(data["available_actions"], {}))


def _header(screen: Screen, task: Row, now: datetime) -> None:
    screen.paragraph(title_of(task), "bold")
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
        tables.lasted(run, now),
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
