"""Validate the limit and the filters of list requests."""

from collections.abc import Sequence

from readdo.web.errors import invalid

LIMIT_MAX = 100


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise invalid(f"{name} must be one of {', '.join(allowed)}.", {name: f"must be one of {', '.join(allowed)}"})
    return value


def limit_of(text: str | None) -> int:
    if text is None:
        return 20
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= LIMIT_MAX and len(text) <= 3):
        raise invalid(f"limit must be a number from 1 to {LIMIT_MAX}.", {"limit": f"must be from 1 to {LIMIT_MAX}"})
    return int(text)
