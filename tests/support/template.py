"""The real template, as CloudFormation sees it after SAM's transform."""

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
    """One's own copy: to read YAML of this length takes longer than most tests."""
    found: dict[str, Any] = pickle.loads(_source())  # noqa: S301 - we wrote it
    return found


@cache
def _transformed() -> str:
    os.environ.setdefault("AWS_DEFAULT_REGION", "eu-central-1")  # the transform asks for one
    given = source()
    for resource in given["Resources"].values():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties["CodeUri"] = "s3://code/empty.zip"
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            properties["ContentUri"] = "s3://code/empty.zip"
        if "DefinitionUri" in properties:
            properties["Definition"] = definition(properties.pop("DefinitionUri"))
    return json.dumps(transform(given, {}, SimpleNamespace(load=dict)), default=str)


def transformed() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_transformed())
    return found


def definition(path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / path).read_text(encoding="utf-8"))
    return found


def functions() -> dict[str, dict[str, Any]]:
    return {n: r for n, r in source()["Resources"].items() if r["Type"] == "AWS::Serverless::Function"}


def defaults() -> dict[str, str]:
    """The settings of all functions that are parameters, as a deploy that asks nothing sets them."""
    found = source()
    settings = [found["Globals"]["Function"], *(f["Properties"] for f in functions().values())]
    given = [(n, v) for s in settings for n, v in s.get("Environment", {}).get("Variables", {}).items()]
    parameters = found["Parameters"]
    return {
        n: str(parameters[v["Ref"]]["Default"]) for n, v in given if isinstance(v, dict) and v.get("Ref") in parameters
    }


def room(logical_id: str) -> str:
    """RecordFailure → record_failure: one name for folder, module, resource and state."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in logical_id).lstrip("_")


if __name__ == "__main__":  # for linters that do not know SAM
    print(json.dumps(transformed(), indent=1))
