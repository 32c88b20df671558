"""Times as a person says them."""

from datetime import UTC, datetime

_STEPS = ((60, 1, "s"), (3600, 60, "min"), (86_400, 3600, "h"), (14 * 86_400, 86_400, "day"))


def read(text: object) -> datetime | None:
    """A time of the API; `None` for what is none."""
    try:
        found = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def lasted(seconds: float) -> str:
    for limit, unit, name in _STEPS:
        if seconds < limit:
            count = int(seconds // unit)
            return f"{count} {name}{'s' if name == 'day' and count != 1 else ''}"
    return f"{int(seconds // 86_400)} days"


def ago(text: object, now: datetime) -> str:
    """How long ago; a date for what is older than two weeks. A clock that runs behind says `just now`."""
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
    left = (at - now).total_seconds()
    return f"in {lasted(left)}" if left >= 1 else "any moment now"


def clock(text: object) -> str:
    """To the second, where one is, for a history."""
    at = read(text)
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else ""


def minute(text: object) -> str:
    at = read(text)
    return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else ""


def day(text: object) -> str:
    at = read(text)
    return at.astimezone().strftime("%Y-%m-%d") if at else ""


def ran(seconds: float) -> str:
    """A stopwatch."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
