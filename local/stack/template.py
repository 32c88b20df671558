"""Adapt template.yaml to the local stack: remove what ministack cannot run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from stack.settings import REGION

Template = dict[str, Any]
Upload = Callable[[Path], dict[str, str]]


class NoManagedPolicies:
    """Replaces samtranslator's list of managed policies from IAM; it knows the names for Lambda itself."""

    def load(self) -> dict[str, str]:
        return {}


def read(root: Path) -> Template:
    template: Template = yaml_parse((root / "template.yaml").read_text())
    return template


def localise(template: Template, root: Path, upload: Upload) -> None:
    """Before the transform: run functions from the working tree, remove layers, inline state machines."""
    shared = template.get("Globals", {}).get("Function", {})
    for key in ("Runtime", "Layers", "Architectures"):
        shared.pop(key, None)
    for name, resource in list(template["Resources"].items()):
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::LayerVersion":
            del template["Resources"][name]
        elif resource["Type"] == "AWS::Serverless::Function":
            for key in ("Layers", "Architectures"):
                properties.pop(key, None)
            code = (root / (properties.get("CodeUri") or shared["CodeUri"])).resolve()
            properties.update(Runtime="provided.al2023", CodeUri=upload(code))
        elif resource["Type"] == "AWS::Serverless::StateMachine" and "DefinitionUri" in properties:
            properties["Definition"] = json.loads((root / properties.pop("DefinitionUri")).read_text())
    shared.pop("CodeUri", None)


def expand(template: Template, parameters: dict[str, str]) -> Template:
    expanded: Template = transform(template, {"AWS::Region": REGION, **parameters}, NoManagedPolicies())
    expanded.pop("Transform", None)
    for name, resource in list(expanded["Resources"].items()):
        if is_unsupported(resource):
            del expanded["Resources"][name]
    return expanded


def is_unsupported(resource: dict[str, Any]) -> bool:
    """Return true for resources to remove: alarms, budgets, and bucket policies that only require TLS.

    ministack cannot evaluate alarms on sums, and has no costs.
    """
    kind = resource["Type"]
    if kind == "AWS::S3::BucketPolicy":
        return not allow_http(resource["Properties"]["PolicyDocument"])
    return str(kind).startswith(("AWS::CloudWatch::", "AWS::Budgets::"))


def allow_http(policy: dict[str, Any]) -> bool:
    """Remove the statements that require TLS, which loopback lacks. Return false if none is left."""
    policy["Statement"] = [s for s in policy["Statement"] if "aws:SecureTransport" not in json.dumps(s)]
    return bool(policy["Statement"])
