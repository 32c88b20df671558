"""Start each function from its own packages, to find missing packages before a deploy."""

from pathlib import Path
from typing import Any

import pytest

from support.built import Built, interpreter
from support.template import function_name, functions

EXTRACT_READS, MODEL_QUESTION = (Path(__file__).with_name(f"{name}.py") for name in ("extract_reads", "model_question"))


def loaded(result: dict[str, Any]) -> Any:
    """Return the answer of a start without errors, whose modules all come from the function's packages."""
    assert "error" not in result, result.get("trace")
    assert result["alien"] == {}
    return result["answer"]


@pytest.mark.parametrize("function", functions(), ids=function_name)
def test_function_starts_from_its_packages_only(packages: Built, function: str) -> None:
    result = packages.start(function)
    print(f"on Python {result['version']}")
    loaded(result)
    assert result["version"] == interpreter()[0]
    assert result["ours"] > 100, "boto3 alone has more modules"


def test_extract_reads_pdfs_links_encodings_and_dates(packages: Built) -> None:
    loaded(packages.start("Extract", scripts=[EXTRACT_READS]))


@pytest.mark.parametrize("function", ["Summarize", "Score", "Todos", "Card"])
def test_function_can_call_a_model(packages: Built, function: str) -> None:
    loaded(packages.start(function, scripts=[MODEL_QUESTION]))


def test_model_call_fails_without_its_layer(packages: Built) -> None:
    result = packages.start("Score", without="AiDepsLayer", scripts=[MODEL_QUESTION])
    assert "library" in str(result.get("trace")), result


@pytest.mark.parametrize(
    ("function", "layer", "missing_module"),
    [("Extract", "ExtractDepsLayer", "lxml"), ("Export", "RenderDepsLayer", "typst"), ("Lease", "BaseDepsLayer", "")],
)
def test_missing_layer_is_detected(packages: Built, function: str, layer: str, missing_module: str) -> None:
    """If a start found packages elsewhere, all tests above would pass."""
    result = packages.start(function, without=layer)
    assert result["error"] == "ModuleNotFoundError", result
    assert missing_module in result["trace"]
