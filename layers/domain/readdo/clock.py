"""Timestamps: ISO 8601 in UTC with milliseconds and `Z`, so that text order is time order."""

from datetime import UTC, datetime, timedelta


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    return stamp(datetime.now(UTC))


def parse(text: str) -> datetime:
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def after(text: str, seconds: float) -> str:
    return stamp(parse(text) + timedelta(seconds=seconds))


def seconds_between(earlier: str, later: str) -> float:
    return (parse(later) - parse(earlier)).total_seconds()


def epoch_seconds(text: str) -> int:
    return int(parse(text).timestamp())
