"""Completeness of a Markdown document, in whole 3,000ths, so that no rounding ever lifts it.

A change of these rules raises RULES_VERSION; docs/collect.md explains it, and earlier checks keep theirs.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple, TypedDict

from readdo.clock import digest
from readdo.collect.markdown_parts import DocumentParts
from readdo.messages import Message, message

RULES_VERSION = "1.0"
WHOLE, COMPLETE_POINTS, PARTIAL_POINTS = 3000, 2700, 1500
COMPLETE, PARTIAL, INCOMPLETE = "complete", "partial", "incomplete"


class Part(NamedTuple):
    need: int
    points: int  # of one


# In the order of the answers.
PARTS: Mapping[str, Part] = {
    "metadata": Part(5, 120),
    "resource_links": Part(1, 900),
    "summary": Part(100, 6),
    "details": Part(200, 3),
    "key_points": Part(3, 100),
}


_MISSING: Mapping[str, str] = {
    "metadata": "collect.missing_metadata",
    "resource_links": "collect.missing_resource_links",
    "summary": "collect.missing_summary",
    "details": "collect.missing_details",
    "key_points": "collect.missing_key_points",
}


class PartResult(TypedDict):
    have: int
    need: int
    points: int


class DocumentCheck(TypedDict):
    """Stored with a version of a document."""

    points: int
    parts: dict[str, PartResult]
    rules_version: str
    text_digest: str  # of the text without metadata; empty for a document without text
    settings: str  # digest of the further names of sections; empty without


def check_document(content: str, headings: Mapping[str, tuple[str, ...]] | None = None) -> DocumentCheck:
    """`headings`: more names of sections, by kind."""
    parts = DocumentParts(content, headings or {})
    have = {
        "metadata": len(parts.metadata),
        "resource_links": len(parts.links),
        "summary": parts.characters("summary"),
        "details": parts.characters("details"),
        "key_points": parts.key_points,
    }
    results: dict[str, PartResult] = {
        name: {"have": have[name], "need": part.need, "points": min(have[name], part.need) * part.points}
        for name, part in PARTS.items()
    }
    text = parts.plain_text
    return {
        "points": sum(result["points"] for result in results.values()),
        "parts": results,
        "rules_version": RULES_VERSION,
        "text_digest": hashlib.sha256(text.encode()).hexdigest()[:32] if text else "",
        "settings": settings_digest(headings or {}),
    }


def settings_digest(headings: Mapping[str, tuple[str, ...]]) -> str:
    return digest(json.dumps(headings, sort_keys=True)) if headings else ""


def rate_of(points: int) -> float:
    """Four digits, rounded down."""
    return points * 10_000 // WHOLE / 10_000


def status_of(points: int) -> str:
    if points >= COMPLETE_POINTS:
        return COMPLETE
    return PARTIAL if points >= PARTIAL_POINTS else INCOMPLETE


def missing_items(parts: Mapping[str, PartResult]) -> list[Message]:
    """A sentence for each part below full marks."""
    return [
        message(_MISSING[name], have=part["have"], need=part["need"])
        for name, part in parts.items()
        if part["have"] < part["need"]
    ]
