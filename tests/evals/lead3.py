"""The least that a summary must beat: the first three sentences are the bullets, and the next one is the insight."""

import random
import re
from typing import Any

from readdo.engine.extractive import card, score, todos

VERSION = "lead3.2"
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+|\n+")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|[-*|`])")
_LEAST, _BULLET, _INSIGHT = 8, 180, 240

__all__ = ["VERSION", "card", "score", "summarize", "todos"]


def summarize(*, text: str, **_told: str) -> dict[str, Any]:
    return _summary(sentences(text)[:4] or [text.strip()])


def at_random(text: str, seed: str) -> dict[str, Any]:
    """Four sentences of the text, whichever: what any summary must beat that claims to choose."""
    found = sentences(text) or [text.strip()]
    return _summary(random.Random(seed).sample(found, min(4, len(found))))  # noqa: S311 - a draw, no secret


def sentences(text: str) -> list[str]:
    found = [part.strip() for part in _END.split(text) if not _HEADING.match(part)]
    return [part for part in found if len(part) >= _LEAST]


def _summary(said: list[str]) -> dict[str, Any]:
    # A text of two sentences has no third: the last is said again, as the schema wants three.
    bullets = [*said, *[said[-1]] * 3][:3]
    insight = said[3] if len(said) > 3 else said[-1]
    return {"bullets": [bullet[:_BULLET] for bullet in bullets], "insight": insight[:_INSIGHT], "evidence": []}
