"""Each function, started from its own packages alone: what is missing there shows here and not in the cloud."""

from typing import Any

import pytest
from built import Built, interpreter

from support.template import functions, room


def loaded(told: dict[str, Any]) -> Any:
    """The answer of a start in which nothing failed and every module came from the function's packages."""
    assert "error" not in told, told.get("trace")
    assert told["alien"] == {}
    return told["answer"]


@pytest.mark.parametrize("function", functions(), ids=room)
def test_a_function_starts_from_its_packages_alone(packages: Built, function: str) -> None:
    told = packages.start(function)
    print(f"on Python {told['version']}")
    loaded(told)
    assert told["version"] == interpreter()[0]
    assert told["ours"] > 100, "boto3 alone has more modules"


def test_extract_reads_what_comes_its_way(packages: Built) -> None:
    loaded(packages.start("Extract", scripts=["extract_reads.py"]))


@pytest.mark.parametrize("function", ["Summarize", "Score", "Todos", "Card"])
def test_a_model_can_be_asked(packages: Built, function: str) -> None:
    loaded(packages.start(function, scripts=["model_question.py"]))


def test_a_model_cannot_be_asked_without_its_layer(packages: Built) -> None:
    told = packages.start("Score", without="AiDepsLayer", scripts=["model_question.py"])
    assert "library" in str(told.get("trace")), told


@pytest.mark.parametrize(
    ("function", "layer", "missed"),
    [("Extract", "ExtractDepsLayer", "lxml"), ("Export", "RenderDepsLayer", "typst"), ("Lease", "BaseDepsLayer", "")],
)
def test_a_missing_layer_shows(packages: Built, function: str, layer: str, missed: str) -> None:
    """Against a start that finds the packages elsewhere, with which all tests above would pass."""
    told = packages.start(function, without=layer)
    assert told["error"] == "ModuleNotFoundError", told
    assert missed in told["trace"]
