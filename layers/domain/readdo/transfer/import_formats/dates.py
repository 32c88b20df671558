"""Parse the dates of other products. An implausible date is unknown, never an error."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from readdo import clock
from readdo.transfer.import_formats import texts

_EARLIEST, _LATEST = 1990, 2099  # zero and year 9999 mean that there is no date
_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))  # (upper limit, units per second)
_NUMBER = re.compile(r"\d{9,20}(?:\.\d{0,9})?", re.ASCII)  # fewer digits are a year before 1990, or a date
_FRACTION = re.compile(r"(\.\d{6})\d+")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CHROME_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_LENGTH_MAX = 60


def moment(value: object) -> str:
    """Parse a Unix time in any unit, an ISO 8601 date or an e-mail date."""
    if isinstance(value, dict):
        value = value.get("date")  # a serialised PHP DateTime
    if isinstance(value, int | float):
        value = repr(int(value)) if abs(value) < 1e20 else ""
    if not isinstance(value, str) or len(value) > _LENGTH_MAX:
        return ""
    text = value.strip()
    return _from_number(_EPOCH, float(text)) if _NUMBER.fullmatch(text) else _parse_text(text)


def chrome_moment(value: object) -> str:
    """Parse microseconds since 1601, given as text."""
    text = texts.to_text(value)
    if not re.fullmatch(r"[0-9]{17}", text):  # other lengths are outside the plausible years
        return ""
    return _stamp(_CHROME_EPOCH + timedelta(microseconds=int(text)))


def _from_number(epoch: datetime, number: float) -> str:
    unit = next((unit for below, unit in _UNITS if number < below), None)
    return _stamp(epoch + timedelta(milliseconds=round(number * 1000 / unit))) if unit else ""


def _parse_text(text: str) -> str:
    try:
        return _stamp(clock.parse(_FRACTION.sub(r"\1", text.replace("/", "-")).replace(" UTC", "Z")))
    except ValueError:
        pass
    try:
        parsed = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
    return _stamp(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))


def _stamp(parsed: datetime) -> str:
    return clock.stamp(parsed) if _EARLIEST <= parsed.year <= _LATEST else ""
