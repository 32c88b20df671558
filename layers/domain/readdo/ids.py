"""Names that sort by the time they were made (ULID: 48 bits of milliseconds, 80 of chance)."""

import hashlib
import secrets

from readdo import clock

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CHANCE_BITS = 80


def new(at: str) -> str:
    milliseconds = int(clock.parse(at).timestamp() * 1000)
    number = (milliseconds << _CHANCE_BITS) | secrets.randbits(_CHANCE_BITS)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def digest(*parts: str) -> str:
    """A name for a user's text, which itself never becomes part of a key, a path or an execution's name."""
    joined = "\x1f".join(parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]
