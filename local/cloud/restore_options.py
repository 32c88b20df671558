"""What `make restore` was asked: to which time, and how far it may go."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cloud.retained_data import RetainedData
from terminal.failures import CommandFailure, usage

_LIKE = "make restore AT=2026-11-18T10:00:00Z"


@dataclass(frozen=True)
class RestoreOptions:
    at: datetime  # whole seconds, UTC
    deleted: bool  # items whose tombstone is still there come back too
    clean: bool  # the copy is deleted at the end
    told: RetainedData  # what outlived its stack

    @classmethod
    def read(cls, environ: Mapping[str, str], now: datetime) -> "RestoreOptions":
        told = RetainedData(environ.get("TABLE", ""), environ.get("BUCKET", ""))
        at = _time(environ.get("AT", ""))
        if at >= now:
            raise usage(f"AT={stamp(at)} is not over yet: it is {stamp(now)} now.", f"Like: {_LIKE}")
        return cls(at, _yes(environ, "DELETED"), _yes(environ, "CLEAN"), told)

    def said(self) -> dict[str, str]:
        """The same again, for place.make."""
        words = {"AT": stamp(self.at), "DELETED": "yes" if self.deleted else "", "CLEAN": "yes" if self.clean else ""}
        return {**words, "TABLE": self.told.table, "BUCKET": self.told.bucket}


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    for count, name in ((minutes // 1440, "day"), (minutes // 60, "hour")):
        if count:
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return f"{minutes} minute{'' if minutes == 1 else 's'} ago"


def _time(given: str) -> datetime:
    if not given:
        raise usage("To which time? Say one just before the accident.", f"Like: {_LIKE}")
    try:
        found = datetime.fromisoformat(given)
    except ValueError:
        raise _unclear(given) from None
    if "T" not in given or found.tzinfo is None:  # whose midnight, whose ten o'clock?
        raise _unclear(given)
    try:
        return found.astimezone(UTC).replace(microsecond=0)
    except OverflowError:
        raise _unclear(given) from None


def _unclear(given: str) -> CommandFailure:
    words = "A date, T, a time, and Z for UTC or your zone's +01:00."
    return usage(f"AT={given} is no time that means one moment.", words, f"Like: {_LIKE}")


def _yes(environ: Mapping[str, str], name: str) -> bool:
    given = environ.get(name, "")
    if given not in ("", "no", "yes"):
        raise usage(f"{name}={given} means nothing.", f"{name}=yes, or leave it out.")
    return given == "yes"
