"""Rights in the transformed template as pairs (action, resource), with logical names of resources."""

import re
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from support import template

Right = tuple[str, str]


def resources(kind: str) -> dict[str, dict[str, Any]]:
    all_resources = template.transformed()["Resources"]
    return {name: r.get("Properties", {}) for name, r in all_resources.items() if r["Type"] == kind}


def many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def named(value: Any) -> str:
    """Return the logical name of a resource.

    Examples: `!GetAtt Table.Arn` → Table, `!Sub "${Bucket.Arn}/content/*"` → Bucket/content/*.
    """
    if isinstance(value, str):
        return value
    ((intrinsic, argument),) = value.items()
    if intrinsic == "Ref":
        return str(argument)
    if intrinsic == "Fn::GetAtt":
        return f"{argument[0]}/stream" if argument[1] == "StreamArn" else str(argument[0])
    assert intrinsic == "Fn::Sub", value
    text, substitutions = argument if isinstance(argument, list) else (argument, {})
    for name, inner in substitutions.items():
        text = text.replace(f"${{{name}}}", named(inner))
    return re.sub(r"\$\{(\w+)\.Arn\}", r"\1", text)


def role_of(properties: dict[str, Any]) -> str:
    return named(properties.get("Role") or properties["RoleArn"])


def statements(role: str) -> list[dict[str, Any]]:
    policies = resources("AWS::IAM::Role")[role].get("Policies", [])
    return [s for policy in policies for s in many(policy["PolicyDocument"]["Statement"])]


def rights(role: str) -> set[Right]:
    return {right for s in statements(role) for right in rights_in({"Statement": s})}


@cache
def reaches(role: str, action: str, key: str) -> bool:
    """Return whether the role may do this with rows of the partition key, as IAM reads the condition."""
    on_table = [
        s for s in statements(role) if action in many(s["Action"]) and "Table" in map(named, many(s["Resource"]))
    ]
    allowed = [s["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] for s in on_table]
    return any(fnmatchcase(key, pattern) for patterns in allowed for pattern in many(patterns))


def rights_in(document: dict[str, Any]) -> set[Right]:
    all_statements = many(document["Statement"])
    return {(a, named(r)) for s in all_statements for a in many(s["Action"]) for r in many(s["Resource"])}


def rights_of_functions() -> dict[str, set[Right]]:
    """Return the rights by function name."""
    return {template.function_name(n): rights(role_of(p)) for n, p in resources("AWS::Lambda::Function").items()}


def rights_of_machines() -> dict[str, set[Right]]:
    return {n: rights(role_of(p)) for n, p in resources("AWS::StepFunctions::StateMachine").items()}
