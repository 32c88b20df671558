"""Parse times of the API and format times and durations."""

from datetime import UTC, datetime

_STEPS = ((60, 1, "s"), (3600, 60, "min"), (86_400, 3600, "h"), (14 * 86_400, 86_400, "day"))


def read(text: object) -> datetime | None:
    """Parse a time of the API; `None` if it is not a time."""
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def lasted(seconds: float) -> str:
    for limit, unit, name in _STEPS:
        if seconds < limit:
            count = int(seconds // unit)
            return f"{count} {name}{'s' if name == 'day' and count != 1 else ''}"
    return f"{int(seconds // 86_400)} days"


def ago(text: object, now: datetime) -> str:
    """Format a past time: a date if older than two weeks, `just now` for a future time (clock skew)."""
    at = read(text)
    if at is None:
        return ""
    passed = (now - at).total_seconds()
    if passed < 5:
        return "just now"
    return day(text) if passed >= 14 * 86_400 else f"{lasted(passed)} ago"


def until(text: object, now: datetime) -> str:
    at = read(text)
    if at is None:
        return ""
    remaining = (at - now).total_seconds()
    return f"in {lasted(remaining)}" if remaining >= 1 else "now"


def clock(text: object) -> str:
    """Format a local time to the second, for histories."""
    at = read(text)
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else ""


def minute(text: object) -> str:
    at = read(text)
    return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else ""


def day(text: object) -> str:
    at = read(text)
    return at.astimezone().strftime("%Y-%m-%d") if at else ""


def ran(seconds: float) -> str:
    """Format a duration as m:ss."""
    total = max(0, int(seconds))
    return f"{total // 60}:{total % 60:02d}"
