"""How the desk does: each figure beside its limits, and the last week, a character an hour."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal import moments
from terminal.desk.words import Row, short
from terminal.screen import Screen

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


def show(screen: Screen, found: Mapping[str, Any], hours: Sequence[Row], now: Any) -> None:
    screen.line(("The Do desk is ", "bold"), (str(found["health"]), f"bold {_COLOURS.get(found['health'], '')}"))
    screen.blank()
    for name, figure in found["figures"].items():
        _figure(screen, name, figure)
    screen.blank()
    stats = found["stats"]
    screen.paragraph("Now: " + ", ".join(f"{stats[state]} {state}" for state in ("inbox", "todo", "doing", "blocked")))
    screen.paragraph("Ended within 24 h: " + ", ".join(f"{stats[state]} {state}" for state in _ENDS))
    if last := found.get("lastRun"):
        facts = [last["intent"], last["status"], moments.ago(last["created_at"], now), short(last["task_id"])]
        screen.paragraph("The last run: " + ", ".join(str(fact) for fact in facts))
    beat = found.get("lastHeartbeat")
    screen.paragraph(
        f"The clock of it all ticked {moments.ago(beat, now)}." if beat else "The clock has not ticked yet."
    )
    _mirror(screen, found, now)
    _week(screen, hours)


def _mirror(screen: Screen, found: Mapping[str, Any], now: Any) -> None:
    mirror = found.get("notion", {})
    if mirror.get("status", "off") == "off":
        return
    last = found.get("lastSyncNotion")
    screen.paragraph(f"Last shown in Notion {moments.ago(last, now)}." if last else "Not yet shown in Notion.")
    if mirror["status"] == "trouble":
        screen.line((mirror["message"], "yellow"))


def _figure(screen: Screen, name: str, figure: Row) -> None:
    title, unit = _FIGURES.get(name, (name, ""))
    value, status = figure["value"], str(figure["status"])
    shown = "–" if value is None else f"{value:g}{unit}"
    word = status.replace("_", " ") if figure["decides"] or status in ("ok", "no_data") else "a warning"
    screen.line(
        f"  {title:13} {shown:>9}  ", (f"{word:10}", _COLOURS.get(status, "")), (f"  {_limits(name, figure)}", "dim")
    )


def _limits(name: str, figure: Row) -> str:
    ok, degraded = figure["limits"]["ok"], figure["limits"].get("degraded")
    sign, worse = (">", "below") if name == "success_rate" else ("<", "above")
    rest = f", unhealthy {worse} {degraded:g}" if degraded is not None else ""
    return f"ok {sign} {ok:g}{rest}"


def _week(screen: Screen, hours: Sequence[Row]) -> None:
    days: dict[str, list[Row | None]] = {}
    for row in hours:
        at = moments.read(row["hour"])
        if at is not None:
            there = at.astimezone()
            days.setdefault(there.strftime("%a %d %b"), [None] * _HOURS)[there.hour] = row
    most = max((_ended(row) for row in hours), default=0)
    screen.heading("The week, hour by hour", "red: something failed" if screen.live else "! something failed")
    for day, line in days.items():
        screen.line((f"  {day}  ", "dim"), *(_mark(screen, row, most) for row in line), (f"  {_said(line)}", "dim"))


def _mark(screen: Screen, row: Row | None, most: int) -> tuple[str, str]:
    if row is None:
        return " ", ""
    ended = _ended(row)
    if not ended:
        return "·", "dim"
    wrong = row["failed"] + row["timeout"]
    level = _LEVELS[(ended * len(_LEVELS) - 1) // most] if most else ""
    return ("!" if wrong and not screen.live else level), "red" if wrong else "green"


def _ended(row: Row) -> int:
    return sum(int(row[state]) for state in _ENDS)


def _said(line: Sequence[Row | None]) -> str:
    rows = [row for row in line if row is not None]
    ended, wrong = sum(map(_ended, rows)), sum(row["failed"] + row["timeout"] for row in rows)
    if not ended:
        return ""
    return f"{ended} run{'s' if ended != 1 else ''}" + (f", {wrong} failed" if wrong else "")
