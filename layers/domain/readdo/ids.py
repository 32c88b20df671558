"""Names that sort by the time they were made (ULID: 48 bits of milliseconds, 80 of chance)."""

import hashlib
import secrets

from readdo import clock

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CHANCE_BITS = 80


def new(at: str) -> str:
    return _text(at, secrets.randbits(_CHANCE_BITS))


def of(at: str, *parts: str) -> str:
    """The same name whenever it is made of the same things: what is made twice is found to be there."""
    return _text(at, int(digest(*parts), 16) >> (128 - _CHANCE_BITS))


def _text(at: str, rest: int) -> str:
    milliseconds = int(clock.parse(at).timestamp() * 1000)
    number = (milliseconds << _CHANCE_BITS) | rest
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def digest(*parts: str) -> str:
    """A name for a user's text, which itself never becomes part of a key, a path or an execution's name."""
    joined = "\x1f".join(parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]
