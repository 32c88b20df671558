"""Ids that sort by creation time (ULID: 48 bits of milliseconds, 80 random bits)."""

import hashlib
import secrets

from readdo import clock

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def new(at: str) -> str:
    return _text(at, secrets.randbits(_RANDOM_BITS))


def of(at: str, *parts: str) -> str:
    """A deterministic id: a repeated creation with the same time and parts finds the first one."""
    return _text(at, int(digest(*parts), 16) >> (128 - _RANDOM_BITS))


def _text(at: str, rest: int) -> str:
    milliseconds = int(clock.parse(at).timestamp() * 1000)
    number = (milliseconds << _RANDOM_BITS) | rest
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def digest(*parts: str) -> str:
    """A hash that stands for a user's text in keys, paths and names of executions."""
    joined = "\x1f".join(parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]
