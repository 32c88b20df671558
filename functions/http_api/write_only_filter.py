"""Reduce responses for tokens that may write but not read to ids and statuses."""

import json
from collections.abc import Mapping
from typing import Any

_RESOURCES = ("item", "task", "import", "job")
_CREATED = 201


def strip_content(answer: dict[str, Any]) -> dict[str, Any]:
    """Keep id and status of stored resources, and created_at of a new one."""
    if not 200 <= answer["statusCode"] < 300 or not answer.get("body"):
        return answer
    fields = ("id", "status", "created_at") if answer["statusCode"] == _CREATED else ("id", "status")
    body = _reduce(json.loads(answer["body"]), fields)
    if "results" in body:
        body["results"] = [_reduce(result, fields) for result in body["results"]]
    return {**answer, "body": json.dumps(body, ensure_ascii=False)}


def _reduce(body: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    return {
        name: {field: value[field] for field in fields if field in value} if name in _RESOURCES else value
        for name, value in body.items()
    }
