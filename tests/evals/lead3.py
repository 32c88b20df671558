"""The least that a summary must beat: the first three sentences are the bullets, and the first the insight."""

import re
from typing import Any

from readdo.engine.extractive import card, score, todos

VERSION = "lead3.1"
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+|\n+")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|[-*|`])")
_LEAST, _BULLET, _INSIGHT = 8, 180, 240

__all__ = ["VERSION", "card", "score", "summarize", "todos"]


def summarize(*, text: str, **_told: str) -> dict[str, Any]:
    found = [part.strip() for part in _END.split(text) if not _HEADING.match(part)]
    first = [part for part in found if len(part) >= _LEAST][:3] or [text.strip()]
    # A text of two sentences has no third: the last is said again, as the schema wants three.
    bullets = [*first, *[first[-1]] * (3 - len(first))]
    return {"bullets": [bullet[:_BULLET] for bullet in bullets], "insight": first[0][:_INSIGHT], "evidence": []}
