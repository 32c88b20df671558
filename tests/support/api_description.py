"""Check that a response matches the API description: status, headers and body.

A path that the description does not have passes.
"""

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
_PLACEHOLDER = re.compile(r"\{\w+\}")


@cache
def description() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((ROOT / "schemas/api/openapi.json").read_text(encoding="utf-8"))
    return document


def check(method: str, path: str, status: int, headers: Mapping[str, str], body: Any) -> None:
    """Check one response.

    `body` is the JSON of the response, or None. An unknown path or method passes: the API answers 404 or 405 to it.
    """
    described = operation(method, path)
    if described is None:
        return
    name = f"{method} {path} answered {status}"
    answers = described["responses"]
    assert str(status) in answers, f"{name}, which its description does not know: {sorted(answers)}\n{body}"
    answer = resolved(answers[str(status)])
    carried = {header.lower(): value for header, value in headers.items()}
    for header, header_schema in answer.get("headers", {}).items():
        assert header.lower() in carried, f"{name} without its header {header}"
        _check_schema(f"{name}, header {header}", header_schema["schema"], carried[header.lower()])
    content = answer.get("content", {}).get("application/json")
    if method == "HEAD" or content is None:
        assert body in (None, {}), f"{name} with a body that is not described: {body}"
    else:
        _check_schema(name, content["schema"], body)


def check_request(method: str, path: str, body: Any) -> None:
    """Check that the body of an accepted request is one that the description allows."""
    described = operation(method, path)
    if described is None or body is None or "requestBody" not in described:
        return
    _check_schema(
        f"{method} {path} took a body", described["requestBody"]["content"]["application/json"]["schema"], body
    )


def operation(method: str, path: str) -> dict[str, Any] | None:
    bare_path = path.partition("?")[0]
    verb = "get" if method == "HEAD" else method.lower()
    matching: Iterator[dict[str, Any]] = (methods for pattern, methods in _paths() if pattern.fullmatch(bare_path))
    if bare_path in description()["paths"]:  # a literal path takes precedence over a pattern
        matching = iter([description()["paths"][bare_path]])
    return next((methods[verb] for methods in matching if verb in methods), None)


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    target: Any = description()
    if "$ref" not in part:
        return part
    for step in part["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return dict(target)


@cache
def _paths() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    """Return the path patterns, those without placeholders first: /items/batch is not an item."""
    paths = sorted(description()["paths"].items(), key=lambda pair: pair[0].count("{"))
    return [(re.compile(_PLACEHOLDER.sub("[^/]+", path)), methods) for path, methods in paths]


def _check_schema(what: str, schema: dict[str, Any], value: Any) -> None:
    wrong = [f"{error.json_path}: {error.message[:300]}" for error in validator(json.dumps(schema)).iter_errors(value)]
    assert not wrong, f"{what}, which is not as it is described: {wrong[:5]}"


@cache
def validator(schema: str) -> Draft202012Validator:
    """Return a validator of a part of the description.

    The references of the part lead into the complete description.
    """
    part = _with_whole_references(json.loads(schema))
    checker = Draft202012Validator.FORMAT_CHECKER
    return Draft202012Validator(part, registry=_registry(), format_checker=checker)


@cache
def _registry() -> Registry[Any]:
    whole: Resource[Any] = DRAFT202012.create_resource(_with_whole_references(description()))
    registry: Registry[Any] = Registry().with_resource(_NAME, whole)
    return registry


def _with_whole_references(part: Any) -> Any:
    if isinstance(part, list):
        return [_with_whole_references(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    resolved_part = {name: _with_whole_references(inner) for name, inner in part.items()}
    if isinstance(resolved_part.get("$ref"), str):
        resolved_part["$ref"] = _NAME + resolved_part["$ref"]
    return resolved_part
