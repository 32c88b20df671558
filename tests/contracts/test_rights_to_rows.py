"""Whose rows a room reaches, told by the beginnings of their keys. The table here is written by hand."""

from typing import Any

import pytest
from rights_to_a_model import ASKS
from template_rights import many, reaches, resources, role_of, statements

from readdo.store import keys
from support.template import functions, room

NAMES = {room(name): name for name in functions()}
every_room = pytest.mark.parametrize("name", list(NAMES))
READ, PUT, CHANGE, CHECK = "GetItem", "PutItem", "UpdateItem", "ConditionCheckItem"
# Whose rows: O# an owner's, T# tokens by their hash, P# providers of models, W# webhooks and W#…#… their deliveries,
# S# what they are signed with: written by the doors, read by the sender alone.
WITH_TOKENS = ["O#*", "T#*"]
DESKS = ["H#*", "N#*"]  # the heartbeat's time, and who has tasks
_BEATS = (READ, "BatchGetItem", PUT, CHANGE, CHECK, "Query", "DeleteItem", "BatchWriteItem")
MIRRORED = ["O#*#Y"]
SECRETS = ["S#*"]
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
    "mark": {("PutItem", "UpdateItem"): MIRRORED},
    "mirror": {("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"): MIRRORED, ("GetItem",): ["H#*"]},
}
# What strangers wrote is read there: no write beside its one transaction.
ONLY_AS_ONE = {"extract": {("PutItem",), ("UpdateItem",)}}
PROVIDERS = {name: ["O#*", "P#*", "B#*"] for name in ASKS}


@every_room
def test_a_room_reaches_only_rows_of_owners_and_those_that_are_written_here(name: str) -> None:
    role = role_of(resources("AWS::Lambda::Function")[NAMES[name]])
    for statement in statements(role):
        actions = tuple(a.removeprefix("dynamodb:") for a in many(statement["Action"]) if a.startswith("dynamodb:"))
        if actions and statement["Resource"] == {"Fn::GetAtt": ["Table", "Arn"]}:
            keys = WIDER.get(name, {}).get(actions, PROVIDERS.get(name, ["O#*"]))
            found_keys = statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]
            assert found_keys in (keys if isinstance(keys[0], list) else [keys])
            wanted: dict[str, Any] = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": found_keys}}
            if actions in ONLY_AS_ONE.get(name, set()):
                wanted["ForAnyValue:StringEquals"] = {"dynamodb:EnclosingOperation": ["TransactWriteItems"]}
            assert statement.get("Condition") == wanted


def test_room_that_reads_pages_cannot_write_the_budget() -> None:
    role = role_of(resources("AWS::Lambda::Function")[NAMES["extract"]])
    row = keys.budget("me", "2026-11-19").pk
    writes = ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem")
    assert [action for action in writes if reaches(role, f"dynamodb:{action}", row)] == []
