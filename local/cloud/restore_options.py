"""Options of `make restore`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cloud.retained_data import RetainedData
from terminal.failures import CommandFailure, usage

_EXAMPLE = "make restore AT=2026-11-18T10:00:00Z"


@dataclass(frozen=True)
class RestoreOptions:
    at: datetime  # whole seconds, UTC
    deleted: bool  # restore items that still have a tombstone, too
    clean: bool  # delete the copy at the end
    retained: RetainedData  # table and bucket of a deleted stack

    @classmethod
    def read(cls, environ: Mapping[str, str], now: datetime) -> "RestoreOptions":
        retained = RetainedData(environ.get("TABLE", ""), environ.get("BUCKET", ""))
        at = _parse_time(environ.get("AT", ""))
        if at >= now:
            raise usage(f"AT={stamp(at)} is in the future. It is {stamp(now)} now.", f"Example: {_EXAMPLE}")
        return cls(at, _is_yes(environ, "DELETED"), _is_yes(environ, "CLEAN"), retained)

    def variables(self) -> dict[str, str]:
        """Return the options as variables for `Place.make`."""
        variables = {
            "AT": stamp(self.at),
            "DELETED": "yes" if self.deleted else "",
            "CLEAN": "yes" if self.clean else "",
        }
        return {**variables, "TABLE": self.retained.table, "BUCKET": self.retained.bucket}


def stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    for count, name in ((minutes // 1440, "day"), (minutes // 60, "hour")):
        if count:
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return f"{minutes} minute{'' if minutes == 1 else 's'} ago"


def _parse_time(value: str) -> datetime:
    if not value:
        raise usage("Set AT to a time just before the data loss.", f"Example: {_EXAMPLE}")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise _time_failure(value) from None
    if "T" not in value or moment.tzinfo is None:  # ambiguous without a time and a zone
        raise _time_failure(value)
    try:
        return moment.astimezone(UTC).replace(microsecond=0)
    except OverflowError:
        raise _time_failure(value) from None


def _time_failure(value: str) -> CommandFailure:
    hint = "Use a date, T, a time, and Z for UTC or an offset such as +01:00."
    return usage(f"AT={value} is not a complete time.", hint, f"Example: {_EXAMPLE}")


def _is_yes(environ: Mapping[str, str], name: str) -> bool:
    value = environ.get(name, "")
    if value not in ("", "no", "yes"):
        raise usage(f"{name}={value} is not valid.", f"Use {name}=yes, or leave it out.")
    return value == "yes"
