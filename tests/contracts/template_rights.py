"""The transformed template's rights as pairs: (action, on what), with resources by their logical names."""

import re
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from support import template

Right = tuple[str, str]


def resources(kind: str) -> dict[str, dict[str, Any]]:
    found = template.transformed()["Resources"]
    return {name: r.get("Properties", {}) for name, r in found.items() if r["Type"] == kind}


def many(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def named(value: Any) -> str:
    """`!GetAtt Table.Arn` → Table; `!Sub "${Bucket.Arn}/content/*"` → Bucket/content/*."""
    if isinstance(value, str):
        return value
    ((how, of),) = value.items()
    if how == "Ref":
        return str(of)
    if how == "Fn::GetAtt":
        return f"{of[0]}/stream" if of[1] == "StreamArn" else str(of[0])
    assert how == "Fn::Sub", value
    text, given = of if isinstance(of, list) else (of, {})
    for name, inner in given.items():
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
    """Whether rows with this partition key may be so treated, as IAM reads the condition."""
    said = [s for s in statements(role) if action in many(s["Action"]) and "Table" in map(named, many(s["Resource"]))]
    allowed = [s["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] for s in said]
    return any(fnmatchcase(key, pattern) for patterns in allowed for pattern in many(patterns))


def rights_in(document: dict[str, Any]) -> set[Right]:
    said = many(document["Statement"])
    return {(a, named(r)) for s in said for a in many(s["Action"]) for r in many(s["Resource"])}


def rights_of_functions() -> dict[str, set[Right]]:
    """By room."""
    return {template.room(n): rights(role_of(p)) for n, p in resources("AWS::Lambda::Function").items()}


def rights_of_machines() -> dict[str, set[Right]]:
    return {n: rights(role_of(p)) for n, p in resources("AWS::StepFunctions::StateMachine").items()}
