"""Parts of the API description: operations, and every example with its schema."""

from collections.abc import Iterator
from typing import Any

from support.api_description import description, resolved

Case = tuple[str, dict[str, Any], Any]
OPERATIONS = [(p, m, operation) for p, of in description()["paths"].items() for m, operation in of.items()]


def statuses(operation: dict[str, Any]) -> dict[str, Any]:
    return {status: resolved(answer) for status, answer in operation["responses"].items()}


def _examples(name: str, part: dict[str, Any]) -> Iterator[Case]:
    content = part.get("content", {}).get("application/json", {})
    for title, example in content.get("examples", {}).items():
        yield f"{name}: {title}", content["schema"], example["value"]


def _request_examples() -> Iterator[Case]:
    for _, _, operation in OPERATIONS:
        yield from _examples(operation["operationId"], operation.get("requestBody", {}))
        for parameter in operation.get("parameters", []):
            if "example" in parameter:
                yield f"{operation['operationId']}: {parameter['name']}", parameter["schema"], parameter["example"]


def _response_examples() -> Iterator[Case]:
    for _, _, operation in OPERATIONS:
        for status, answer in operation["responses"].items():
            if "$ref" not in answer:
                yield from _examples(f"{operation['operationId']} {status}", answer)
    for name, answer in description()["components"]["responses"].items():
        yield from _examples(name, answer)


REQUESTS, ANSWERS = list(_request_examples()), list(_response_examples())
ERRORS = {value["error"]["code"]: value["error"] for _, _, value in ANSWERS if "error" in value}
