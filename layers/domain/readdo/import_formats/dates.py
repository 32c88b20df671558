"""When something was saved, as each product writes it. What makes no sense is unknown, and never an error."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from readdo import clock
from readdo.import_formats import texts

_EARLIEST, _LATEST = 1990, 2099  # the web's years; zero, and year 9999, are ways to say nothing
_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))  # below: seconds, milliseconds, microseconds, nanoseconds
_NUMBER = re.compile(r"\d{9,20}(?:\.\d{0,9})?", re.ASCII)  # fewer digits are before the web, or a date
_FRACTION = re.compile(r"(\.\d{6})\d+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CHROME_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_LONGEST = 60


def moment(value: object) -> str:
    """A number since 1970 in whatever unit fits its size, ISO 8601, or the form that mails use."""
    if isinstance(value, dict):
        value = value.get("date")  # as PHP writes a date whole
    if isinstance(value, int | float):
        value = repr(int(value)) if abs(value) < 1e20 else ""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return ""
    shown = value.strip()
    return _since(_EPOCH, float(shown)) if _NUMBER.fullmatch(shown) else _written(shown)


def chrome_moment(value: object) -> str:
    """Microseconds since 1601, as text."""
    shown = texts.said(value)
    if not re.fullmatch(r"[0-9]{17}", shown):  # more or fewer are no year of the web's
        return ""
    return _stamped(_CHROME_EPOCH + timedelta(microseconds=int(shown)))


def _since(epoch: datetime, number: float) -> str:
    unit = next((unit for below, unit in _UNITS if number < below), None)
    return _stamped(epoch + timedelta(milliseconds=round(number * 1000 / unit))) if unit else ""


def _written(shown: str) -> str:
    try:
        return _stamped(clock.parse(_FRACTION.sub(r"\1", shown.replace("/", "-")).replace(" UTC", "Z")))
    except ValueError:
        pass
    try:
        found = parsedate_to_datetime(shown)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return _stamped(found if found.tzinfo else found.replace(tzinfo=UTC))


def _stamped(found: datetime) -> str:
    return clock.stamp(found) if _EARLIEST <= found.year <= _LATEST else ""
