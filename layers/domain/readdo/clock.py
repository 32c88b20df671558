"""Timestamps, ids that sort by them, and digests that stand for texts.

A timestamp is ISO 8601 in UTC with milliseconds and `Z`, so that text order is time order. An id is a ULID: 48 bits of
milliseconds and 80 random bits.
"""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


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


def new_id(at: str) -> str:
    return _ulid(at, secrets.randbits(_RANDOM_BITS))


def id_of(at: str, *parts: str) -> str:
    """A deterministic id: a repeated creation with the same time and parts finds the first one."""
    return _ulid(at, int(digest(*parts), 16) >> (128 - _RANDOM_BITS))


def _ulid(at: str, rest: int) -> str:
    milliseconds = int(parse(at).timestamp() * 1000)
    number = (milliseconds << _RANDOM_BITS) | rest
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def digest(*parts: str) -> str:
    """A hash that stands for a user's text in keys, paths and names of executions."""
    joined = "\x1f".join(parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]
