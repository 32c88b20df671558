"""`readdo runs` and `health`: list the runs of tasks and items, and show the health of the task queue."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from terminal import task_output, time_format
from terminal.command import verb
from terminal.failures import FAILED
from terminal.screen import Screen
from terminal.session import Session, put_json
from terminal.words import RUN_STATES, Row, short

UNHEALTHY = "unhealthy"
_COLOURS = {"ok": "green", "degraded": "yellow", UNHEALTHY: "red", "no_data": "dim"}
_FIGURES = {
    "success_rate": ("Success rate", "%"),
    "queue": ("Waiting", ""),
    "blocked": ("Blocked", ""),
    "mean_duration": ("Mean time", " s"),
    "failures": ("Failed runs", ""),
}
_ENDS = ("succeeded", "failed", "timeout", "cancelled")
_LEVELS = "▁▂▃▄▅▆▇█"
_HOURS = 24


@verb("runs")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(RUN_STATES, case_sensitive=False),
    metavar="STATUS",
    help="Filter by status: queued, running, succeeded, failed, timeout, cancelled; repeatable.",
)
@click.option("--intent", multiple=True, metavar="INTENT", help="Filter by intent; repeatable.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of runs.")
@click.pass_obj
def runs(session: Session, status: tuple[str, ...], intent: tuple[str, ...], limit: int) -> None:
    """List runs of tasks and items, newest first: status, duration, result.

    In a pipe, each run is one line of tab-separated columns: id, status, intent, task, item, attempt, worker, started,
    seconds, exit code, kind of error, message.
    """
    response = session.api.get("/runs", {"status": status, "intent": intent, "limit": limit})
    session.tell(response, lambda data: task_output.runs(session.screen, data["runs"], session.outside.now()))
    if not response.raw["runs"]:
        session.note("No runs match." if status or intent else "No runs yet.")


@verb("health")
@click.option("--recount", is_flag=True, help="Count the tasks again and correct the counters.")
@click.pass_obj
def health(session: Session, recount: bool) -> int:
    """Show the health of the task queue: each metric with its limits, and the last week.

    Success rate, waiting and blocked tasks decide the health; the others only warn. The exit code is 1 if unhealthy.
    """
    if recount:
        response = session.api.post("/health/recount")
        session.tell(response, lambda data: _show_recount(session, data["counted"], data["drift"]))
        return 0
    health_response, metrics = session.api.get("/health"), session.api.get("/metrics")
    if session.json:
        put_json({**health_response.raw, **metrics.raw})
    else:
        _show_health(session.screen, health_response.data, metrics.data["hours"], session.outside.now())
    return FAILED if health_response.data["health"] == UNHEALTHY else 0


def _show_recount(session: Session, counted: dict[str, int], drift: dict[str, int]) -> None:
    session.screen.line("Counted: " + ", ".join(f"{number} {state}" for state, number in counted.items()))
    changes = ", ".join(f"{state} by {by:+d}" for state, by in drift.items())
    session.screen.line(f"Corrected the counters: {changes}." if changes else "The counters were correct.")


def _show_health(screen: Screen, data: Mapping[str, Any], hours: Sequence[Row], now: Any) -> None:
    health = str(data["health"])
    screen.line(("Health: ", "bold"), (health.capitalize(), f"bold {_COLOURS.get(health, '')}"))
    screen.blank()
    for name, figure in data["figures"].items():
        _figure(screen, name, figure)
    screen.blank()
    stats = data["stats"]
    screen.paragraph("Now: " + ", ".join(f"{stats[state]} {state}" for state in ("inbox", "todo", "doing", "blocked")))
    screen.paragraph("Runs in the last 24 h: " + ", ".join(f"{stats[state]} {state}" for state in _ENDS))
    if last := data.get("lastRun"):
        facts = [last["intent"], last["status"], time_format.ago(last["created_at"], now), short(last["task_id"])]
        screen.paragraph("Last run: " + ", ".join(str(fact) for fact in facts))
    beat = data.get("lastHeartbeat")
    screen.paragraph(f"Last heartbeat {time_format.ago(beat, now)}." if beat else "No heartbeat yet.")
    _mirror(screen, data, now)
    _week(screen, hours)


def _mirror(screen: Screen, data: Mapping[str, Any], now: Any) -> None:
    mirror = data.get("notion", {})
    if mirror.get("status", "off") == "off":
        return
    last = data.get("lastSyncNotion")
    screen.paragraph(f"Last synced to Notion {time_format.ago(last, now)}." if last else "Not synced to Notion yet.")
    if mirror["status"] == "trouble":
        screen.line((mirror["message"], "yellow"))


def _figure(screen: Screen, name: str, figure: Row) -> None:
    title, unit = _FIGURES.get(name, (name, ""))
    value, status = figure["value"], str(figure["status"])
    text = "–" if value is None else f"{value:g}{unit}"
    word = status.replace("_", " ") if figure["decides"] or status in ("ok", "no_data") else "warning"
    screen.line(
        f"  {title:13} {text:>9}  ", (f"{word:10}", _COLOURS.get(status, "")), (f"  {_limits(name, figure)}", "dim")
    )


def _limits(name: str, figure: Row) -> str:
    ok, degraded = figure["limits"]["ok"], figure["limits"].get("degraded")
    sign, worse = (">", "below") if name == "success_rate" else ("<", "above")
    rest = f", unhealthy {worse} {degraded:g}" if degraded is not None else ""
    return f"ok {sign} {ok:g}{rest}"


def _week(screen: Screen, hours: Sequence[Row]) -> None:
    days: dict[str, list[Row | None]] = {}
    for row in hours:
        at = time_format.read(row["hour"])
        if at is not None:
            local_time = at.astimezone()
            days.setdefault(local_time.strftime("%a %d %b"), [None] * _HOURS)[local_time.hour] = row
    most = max((_ended_runs(row) for row in hours), default=0)
    screen.heading("Last 7 days by hour", "red: failed runs" if screen.live else "! failed runs")
    for day, line in days.items():
        screen.line(
            (f"  {day}  ", "dim"), *(_mark(screen, row, most) for row in line), (f"  {_day_summary(line)}", "dim")
        )


def _mark(screen: Screen, row: Row | None, most: int) -> tuple[str, str]:
    if row is None:
        return " ", ""
    ended = _ended_runs(row)
    if not ended:
        return "·", "dim"
    failed = row["failed"] + row["timeout"]
    level = _LEVELS[(ended * len(_LEVELS) - 1) // most] if most else ""
    return ("!" if failed and not screen.live else level), "red" if failed else "green"


def _ended_runs(row: Row) -> int:
    return sum(int(row[state]) for state in _ENDS)


def _day_summary(line: Sequence[Row | None]) -> str:
    rows = [row for row in line if row is not None]
    ended, failed = sum(map(_ended_runs, rows)), sum(row["failed"] + row["timeout"] for row in rows)
    if not ended:
        return ""
    return f"{ended} run{'s' if ended != 1 else ''}" + (f", {failed} failed" if failed else "")
