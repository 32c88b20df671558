"""Reduce responses for tokens that may write but not read to ids and statuses."""

import json
from collections.abc import Mapping
from typing import Any

_NAMES = {
    **dict.fromkeys(("item", "task", "import", "job", "assignment"), "id"),
    "batch": "batch_name",
    "document": "path",
}
_CREATED = 201
_LISTS = {"assignments": "assignment"}


def strip_content(answer: dict[str, Any]) -> dict[str, Any]:
    """Keep id and status of stored resources, and created_at of a new one."""
    if not 200 <= answer["statusCode"] < 300 or not answer.get("body"):
        return answer
    fields = ("status", "created_at") if answer["statusCode"] == _CREATED else ("status",)
    body = _reduce(json.loads(answer["body"]), fields)
    if "results" in body:
        body["results"] = [_reduce(result, fields) for result in body["results"]]
    return {**answer, "body": json.dumps(body, ensure_ascii=False)}


def _reduce(body: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    reduced = dict(body)
    for kind, name in _NAMES.items():
        if kind in body:
            reduced[kind] = _keep(body[kind], (name, *fields))
    if "moved" in body:
        reduced["moved"] = [_keep(one, ("id", "from", "to")) for one in body["moved"]]
    for listed, kind in _LISTS.items():
        if listed in body:
            reduced[listed] = [_keep(one, (_NAMES[kind], *fields)) for one in body[listed]]
    return reduced


def _keep(resource: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any]:
    return {field: resource[field] for field in fields if field in resource}
