"""Whether an answer is what the description says: status, headers and body. A path that it does not have is let be."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from support.template import ROOT

_NAME = "urn:readdo:description"
_PLACE = re.compile(r"\{\w+\}")


@cache
def description() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "schemas/api/openapi.json").read_text(encoding="utf-8"))
    return found


def check(method: str, path: str, status: int, headers: Mapping[str, str], body: Any) -> None:
    """`body`: the answer's JSON, or None. A path or a method that there is not answers 404 or 405 by itself."""
    found = operation(method, path)
    if found is None:
        return
    name = f"{method} {path} answered {status}"
    answers = found["responses"]
    assert str(status) in answers, f"{name}, which its description does not know: {sorted(answers)}\n{body}"
    answer = resolved(answers[str(status)])
    carried = {header.lower(): value for header, value in headers.items()}
    for header, said in answer.get("headers", {}).items():
        assert header.lower() in carried, f"{name} without its header {header}"
        _agrees(f"{name}, header {header}", said["schema"], carried[header.lower()])
    content = answer.get("content", {}).get("application/json")
    if method == "HEAD" or content is None:
        assert body in (None, {}), f"{name} with a body that is not described: {body}"
    else:
        _agrees(name, content["schema"], body)


def check_request(method: str, path: str, body: Any) -> None:
    """For a request that was granted: its body must be one that the description allows."""
    found = operation(method, path)
    if found is None or body is None or "requestBody" not in found:
        return
    _agrees(f"{method} {path} took a body", found["requestBody"]["content"]["application/json"]["schema"], body)


def operation(method: str, path: str) -> dict[str, Any] | None:
    asked = path.partition("?")[0]
    wanted = "get" if method == "HEAD" else method.lower()
    matching: Iterator[dict[str, Any]] = (methods for pattern, methods in _paths() if pattern.fullmatch(asked))
    if asked in description()["paths"]:  # a path of its own: no place of another's matches it
        matching = iter([description()["paths"][asked]])
    return next((methods[wanted] for methods in matching if wanted in methods), None)


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    found: Any = description()
    if "$ref" not in part:
        return part
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


@cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Paths without places first: /items/batch is no item."""
    paths = sorted(description()["paths"].items(), key=lambda pair: pair[0].count("{"))
    return [(re.compile(_PLACE.sub("[^/]+", path)), methods) for path, methods in paths]


def _agrees(what: str, schema: dict[str, Any], value: Any) -> None:
    wrong = [f"{error.json_path}: {error.message[:300]}" for error in validator(json.dumps(schema)).iter_errors(value)]
    assert not wrong, f"{what}, which is not as it is described: {wrong[:5]}"


@cache
def validator(schema: str) -> Draft202012Validator:
    """Of a part of the description, whose references lead into the whole."""
    part = _with_whole_references(json.loads(schema))
    checker = Draft202012Validator.FORMAT_CHECKER
    return Draft202012Validator(part, registry=_registry(), format_checker=checker)


@cache
def _registry() -> Registry[Any]:
    whole: Resource[Any] = DRAFT202012.create_resource(_with_whole_references(description()))
    found: Registry[Any] = Registry().with_resource(_NAME, whole)
    return found


def _with_whole_references(part: Any) -> Any:
    if isinstance(part, list):
        return [_with_whole_references(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    found = {name: _with_whole_references(inner) for name, inner in part.items()}
    if isinstance(found.get("$ref"), str):
        found["$ref"] = _NAME + found["$ref"]
    return found
