"""Time as the product writes it: UTC, ISO 8601, milliseconds, `Z`; as text it sorts as it passes."""

from datetime import UTC, datetime, timedelta


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    return stamp(datetime.now(UTC))


def parse(text: str) -> datetime:
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def after(text: str, seconds: float) -> str:
    return stamp(parse(text) + timedelta(seconds=seconds))


def seconds_between(earlier: str, later: str) -> float:
    return (parse(later) - parse(earlier)).total_seconds()


def epoch_seconds(text: str) -> int:
    return int(parse(text).timestamp())
