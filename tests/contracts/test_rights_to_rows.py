"""Rows that each function reaches, by prefixes of their keys. The table here is written by hand."""

from typing import Any

import pytest

from contracts.rights_to_a_model import ASKS
from contracts.template_rights import many, reaches, resources, role_of, statements
from readdo.store import keys
from support.template import function_name, functions

NAMES = {function_name(name): name for name in functions()}
every_room = pytest.mark.parametrize("name", list(NAMES))
READ, PUT, CHANGE, CHECK = "GetItem", "PutItem", "UpdateItem", "ConditionCheckItem"
# Prefixes: O# rows of an owner, T# tokens by their hash, P# model providers, W# webhooks, W#…#… their deliveries, S#
# signing secrets, which the API and pages write and only deliver reads.
WITH_TOKENS = ["O#*", "T#*"]
DESKS = ["H#*", "N#*"]  # the time of the heartbeat; the owners with tasks
_BEATS = (READ, "BatchGetItem", PUT, CHANGE, CHECK, "Query", "DeleteItem", "BatchWriteItem")
MIRRORED = ["O#*#Y"]
SECRETS = ["S#*"]
COLLECTED = ["O#*#A", "O#*#A#*", "O#*#L", "O#*#L#*", "O#*#V", "O#*#CN"]
WEBHOOKS = ("GetItem", "PutItem", "UpdateItem", "ConditionCheckItem", "Query", "BatchWriteItem")
WIDER: dict[str, dict[tuple[str, ...], Any]] = {
    "http_api": {
        ("GetItem",): [*WITH_TOKENS, *DESKS],
        ("PutItem", "DeleteItem"): [[*WITH_TOKENS, "N#*"], SECRETS],
        WEBHOOKS: ["W#*"],
    },
    "pages": {
        ("GetItem",): [*WITH_TOKENS, "P#*", *DESKS, "B#*"],
        ("PutItem", "DeleteItem"): [[*WITH_TOKENS, "N#*"], SECRETS],
        WEBHOOKS: ["W#*"],
    },
    "announce": {("GetItem", "PutItem", "Query"): ["W#*"]},
    "deliver": {("GetItem",): ["W#*", "S#*"], ("UpdateItem",): ["W#*"]},
    "heartbeat": {("GetItem", "UpdateItem"): ["W#*#*"], _BEATS: ["O#*", *DESKS]},
    "extract": {("PutItem",): ["O#*#I#*"]},
    "restore": {("Query", "DeleteItem"): ["O#*#I#*"]},
    "proof_slice": {("GetItem", "UpdateItem"): ["B#*"], (READ, PUT, CHANGE, "Query"): ["O#*"]},
    "collect_work": {
        ("GetItem", "UpdateItem"): ["B#*", "P#*"],
        (READ, "BatchGetItem", "Query", PUT, CHANGE, "DeleteItem", CHECK): COLLECTED,
    },
    "mark": {("PutItem", "UpdateItem"): MIRRORED},
    "mirror": {("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"): MIRRORED, ("GetItem",): ["H#*"]},
}
# extract reads untrusted pages: it may write only in its one transaction.
ONLY_IN_TRANSACTION = {"extract": {("PutItem",), ("UpdateItem",)}}
PROVIDERS = {name: ["O#*", "P#*", "B#*"] for name in ASKS}


@every_room
def test_function_reaches_only_the_listed_rows(name: str) -> None:
    role = role_of(resources("AWS::Lambda::Function")[NAMES[name]])
    for statement in statements(role):
        actions = tuple(a.removeprefix("dynamodb:") for a in many(statement["Action"]) if a.startswith("dynamodb:"))
        if actions and statement["Resource"] == {"Fn::GetAtt": ["Table", "Arn"]}:
            keys = WIDER.get(name, {}).get(actions, PROVIDERS.get(name, ["O#*"]))
            found_keys = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
            assert found_keys in (keys if isinstance(keys[0], list) else [keys])
            expected: dict[str, Any] = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": found_keys}}
            if actions in ONLY_IN_TRANSACTION.get(name, set()):
                expected["ForAnyValue:StringEquals"] = {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
            assert statement.get("Condition") == expected


def test_extract_cannot_write_the_budget() -> None:
    role = role_of(resources("AWS::Lambda::Function")[NAMES["extract"]])
    row = keys.budget("me", "2026-11-19").pk
    writes = ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem")
    assert [action for action in writes if reaches(role, f"dynamodb:{action}", row)] == []
