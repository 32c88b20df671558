"""Answers to a token that may write and not read: which thing it is and where it stands, without its words."""

import json
from collections.abc import Mapping
from typing import Any

_STORED = ("item", "task", "import")
_CREATED = 201


def without_words(answer: dict[str, Any]) -> dict[str, Any]:
    """Of a thing that the call made, also when: its words were the caller's own."""
    if not 200 <= answer["statusCode"] < 300 or not answer.get("body"):
        return answer
    kept = ("id", "status", "created_at") if answer["statusCode"] == _CREATED else ("id", "status")
    told = _reduced(json.loads(answer["body"]), kept)
    if "results" in told:
        told["results"] = [_reduced(one, kept) for one in told["results"]]
    return {**answer, "body": json.dumps(told, ensure_ascii=False)}


def _reduced(told: Mapping[str, Any], kept: tuple[str, ...]) -> dict[str, Any]:
    return {
        name: {field: value[field] for field in kept if field in value} if name in _STORED else value
        for name, value in told.items()
    }
