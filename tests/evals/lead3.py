"""Baseline engine: the first three sentences are the bullets, the fourth is the insight.

Every other engine must do better than this one.
"""

import random
import re
from typing import Any

from readdo.engine.extractive import card, score, todos

VERSION = "lead3.2"
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+|\n+")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|[-*|`])")
_LEAST, _BULLET, _INSIGHT = 8, 180, 240

__all__ = ["VERSION", "card", "score", "summarize", "todos"]


def summarize(*, text: str, **_inputs: str) -> dict[str, Any]:
    return _summary(sentences(text)[:4] or [text.strip()])


def at_random(text: str, seed: str) -> dict[str, Any]:
    """Return four random sentences of the text, a baseline for engines that select sentences."""
    candidates = sentences(text) or [text.strip()]
    return _summary(random.Random(seed).sample(candidates, min(4, len(candidates))))  # noqa: S311 - a random sample, no secret


def sentences(text: str) -> list[str]:
    parts = [part.strip() for part in _END.split(text) if not _HEADING.match(part)]
    return [part for part in parts if len(part) >= _LEAST]


def _summary(lines: list[str]) -> dict[str, Any]:
    # The schema wants three bullets. The last sentence is repeated if the text has fewer than three.
    bullets = [*lines, *[lines[-1]] * 3][:3]
    insight = lines[3] if len(lines) > 3 else lines[-1]
    return {"bullets": [bullet[:_BULLET] for bullet in bullets], "insight": insight[:_INSIGHT], "evidence": []}
