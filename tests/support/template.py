"""Real template, as CloudFormation sees it after SAM's transform."""

import json
import os
import pickle
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

ROOT = Path(__file__).resolve().parents[2]


@cache
def _source() -> bytes:
    return pickle.dumps(yaml_parse((ROOT / "template.yaml").read_text(encoding="utf-8")))


def source() -> dict[str, Any]:
    """Return a copy of the parsed template.

    Parsing YAML of this length takes longer than most tests.
    """
    parsed: dict[str, Any] = pickle.loads(_source())  # noqa: S301 - we wrote it
    return parsed


@cache
def _transformed() -> str:
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")  # the transform needs a region
    body = source()
    for resource in body["Resources"].values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = "s3://code/empty.zip"
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            properties["ContentUri"] = "s3://code/empty.zip"
        if "DefinitionUri" in properties:
            properties["Definition"] = definition(properties.pop("DefinitionUri"))
    return json.dumps(transform(body, {}, SimpleNamespace(load=dict)), default=str)


def transformed() -> dict[str, Any]:
    body: dict[str, Any] = json.loads(_transformed())
    return body


def definition(path: str) -> dict[str, Any]:
    workflow: dict[str, Any] = json.loads((ROOT / path).read_text(encoding="utf-8"))
    return workflow


def functions() -> dict[str, dict[str, Any]]:
    return {n: r for n, r in source()["Resources"].items() if r["Type"] == "AWS::Serverless::Function"}


def defaults() -> dict[str, str]:
    """Return the environment variables that are parameters, with the parameters' defaults."""
    body = source()
    settings = [body["Globals"]["Function"], *(f["Properties"] for f in functions().values())]
    variables = [(n, v) for s in settings for n, v in s.get("Environment", {}).get("Variables", {}).items()]
    parameters = body["Parameters"]
    return {
        n: str(parameters[v["Ref"]]["Default"])
        for n, v in variables
        if isinstance(v, dict) and v.get("Ref") in parameters
    }


def function_name(logical_id: str) -> str:
    """Convert RecordFailure to record_failure: the folder, module, resource and state share the name."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in logical_id).lstrip("_")


if __name__ == "__main__":  # for linters that do not know SAM
    print(json.dumps(transformed(), indent=1))
