"""Generated requests, valid and invalid: no answer is a 5xx or undescribed."""

import os
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode, checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from fuzz.fuzz_wsgi import app
from support import api_description
from support.sample_run import SampleRun
from support.world import World

EXAMPLES = 500 if os.environ.get("READDO_FUZZ") == "long" else 60
OPERATIONS = [
    (path, method, mode)
    for path, methods in api_description.description()["paths"].items()
    for method, definition in methods.items()
    for mode in GenerationMode
    # An operation whose only parameter is a text header has no invalid request.
    if mode.is_positive
    or "requestBody" in definition
    or any(p["in"] != "header" for p in definition.get("parameters", ()))
]
CHECKS = [
    checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def description(idle_world: World) -> Any:
    assert idle_world.token
    return schemathesis.openapi.from_wsgi("/openapi.json", app)


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_every_answer_matches_the_description(
    idle_world: World, sample: SampleRun, description: Any, path: str, method: str, mode: GenerationMode
) -> None:
    operation = description[path][method]
    item_id = sample.copied(idle_world.table, idle_world.owner) if "{id}" in path else ""
    statuses: Counter[int] = Counter()

    @seed(20261118)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def check_case(case: Any) -> None:
        if item_id and statuses.total() % 2:  # every other request uses an existing item
            case.path_parameters["id"] = item_id
        answer = case.call(headers={"Authorization": f"Bearer {idle_world.token}"})
        statuses[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    check_case()
    print(f"{method} {path}, {mode.value}: {dict(statuses)}")
    assert statuses.total() >= EXAMPLES // 2
