"""The description against the API: whatever is made of it, right or wrong, no answer is a 5xx or not described."""

import os
from collections import Counter
from typing import Any

import pytest
import schemathesis
from fuzz_wsgi import app
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode, checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from support import api_description
from support.sample_run import SampleRun
from support.world import World

EXAMPLES = 500 if os.environ.get("READDO_FUZZ") == "long" else 60
OPERATIONS = [
    (path, method, mode)
    for path, methods in api_description.description()["paths"].items()
    for method, said in methods.items()
    for mode in GenerationMode
    # Where nothing is asked for but a header of any text, nothing can be wrong.
    if mode.is_positive or "requestBody" in said or any(p["in"] != "header" for p in said.get("parameters", ()))
]
CHECKS = [
    checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def description(still: World) -> Any:
    assert still.token
    return schemathesis.openapi.from_wsgi("/openapi.json", app)


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_no_answer_breaks_the_description(
    still: World, sample: SampleRun, description: Any, path: str, method: str, mode: GenerationMode
) -> None:
    operation = description[path][method]
    item_id = sample.copied(still.table, still.owner) if "{id}" in path else ""
    told: Counter[int] = Counter()

    @seed(20261118)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def holds(case: Any) -> None:
        if item_id and told.total() % 2:  # every other one of an item that is there
            case.path_parameters["id"] = item_id
        answer = case.call(headers={"Authorization": f"Bearer {still.token}"})
        told[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    holds()
    print(f"{method} {path}, {mode.value}: {dict(told)}")
    assert told.total() >= EXAMPLES // 2
