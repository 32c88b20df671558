"""The template as the local stack can take it: the real one, with what does not apply here taken out by name."""

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
    """samtranslator asks IAM for the list of AWS's policies; the names it needs for Lambda it knows itself."""

    def load(self) -> dict[str, str]:
        return {}


def read(root: Path) -> Template:
    template: Template = yaml_parse((root / "template.yaml").read_text())
    return template


def localise(template: Template, root: Path, upload: Upload) -> None:
    """Before the transform: functions run the working tree, layers go, definitions are read in."""
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
        if has_no_place_here(resource):
            del expanded["Resources"][name]
    return expanded


def has_no_place_here(resource: dict[str, Any]) -> bool:
    """Alarms wake nobody here, and ministack cannot watch sums; a policy that asked for TLS alone has nothing left."""
    kind = resource["Type"]
    if kind == "AWS::S3::BucketPolicy":
        return not allow_http(resource["Properties"]["PolicyDocument"])
    return str(kind).startswith("AWS::CloudWatch::")


def allow_http(policy: dict[str, Any]) -> bool:
    """ministack evaluates aws:SecureTransport as AWS does, and loopback has no TLS. False: nothing else was in it."""
    policy["Statement"] = [s for s in policy["Statement"] if "aws:SecureTransport" not in json.dumps(s)]
    return bool(policy["Statement"])
