"""A week of runs: bars per hour for a chart, and sums per day for a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.lifecycle.run import CANCELLED, FAILED, SUCCEEDED, TIMEOUT

HIGH, STEP, BAR = 100, 4, 3  # height of the chart, width of an hour, width of its bar
Hour = Mapping[str, Any]


def chart_bars(week: Sequence[Hour]) -> dict[str, Any]:
    ended = max((_good(hour) + _bad(hour) for hour in week), default=0)
    slowest = max((hour["mean_duration"] or 0 for hour in week), default=0)
    stacked = [_stack(n, hour, ended) for n, hour in enumerate(week)]
    means = [_bar(n, 0, hour["mean_duration"] or 0, slowest) for n, hour in enumerate(week)]
    return {
        "wide": STEP * len(week),
        "high": HIGH,
        "from": week[0]["hour"] if week else "",
        "to": week[-1]["hour"] if week else "",
        "most": ended,
        "slowest": round(slowest),
        "succeeded": sum(_good(hour) for hour in week),
        "failed": sum(_bad(hour) for hour in week),
        "good": [good for good, _ in stacked if good],
        "bad": [bad for _, bad in stacked if bad],
        "means": [bar for bar in means if bar],
        "days": [n * STEP for n, hour in enumerate(week) if n and hour["hour"][11:13] == "00"],
    }


def days(week: Sequence[Hour]) -> list[dict[str, Any]]:
    hours_of_day: dict[str, list[Hour]] = {}
    for hour in week:
        hours_of_day.setdefault(hour["hour"][:10], []).append(hour)
    return [{"day": day, **_sum_up(hours)} for day, hours in reversed(hours_of_day.items())]


def _sum_up(hours: Sequence[Hour]) -> dict[str, Any]:
    sums = {state: sum(hour[state] for hour in hours) for state in (SUCCEEDED, FAILED, TIMEOUT, CANCELLED)}
    runs = sum(sums.values())
    seconds = sum((hour["mean_duration"] or 0) * _all(hour) for hour in hours)
    return {**sums, "mean_duration": round(seconds / runs) if runs else None}


def _stack(n: int, hour: Hour, most: int) -> tuple[Any, Any]:
    return _bar(n, 0, _good(hour), most), _bar(n, _good(hour), _bad(hour), most)


def _bar(n: int, below: float, value: float, most: float) -> dict[str, float] | None:
    """A bar, at least 2 units high so that it is visible."""
    if not value:
        return None
    foot = HIGH * below / most
    high = max(2.0, HIGH * value / most)
    return {"x": n * STEP, "y": round(max(0, HIGH - foot - high), 1), "wide": BAR, "high": round(high, 1)}


def _good(hour: Hour) -> int:
    return int(hour[SUCCEEDED])


def _bad(hour: Hour) -> int:
    return int(hour[FAILED] + hour[TIMEOUT])


def _all(hour: Hour) -> int:
    return _good(hour) + _bad(hour) + int(hour[CANCELLED])
