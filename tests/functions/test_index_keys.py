"""Index keys have the types that the template declares."""

import boto3

from functions.desk import add, claim, complete, start_run
from support import template
from support.world import World


def _declared_types() -> dict[str, str]:
    table = template.source()["Resources"]["Table"]["Properties"]
    return {one["AttributeName"]: one["AttributeType"] for one in table["AttributeDefinitions"]}


def test_index_keys_of_the_do_desk_have_the_declared_types(fresh: World) -> None:
    """DynamoDB refuses a whole transaction with a wrong type; the database of these tests accepts it."""
    for number in range(4):
        add(fresh, hold=number == 0)
    complete(fresh, start_run(fresh)["id"])
    complete(fresh, start_run(fresh)["id"], 1)
    claim(fresh)
    fresh.api("POST", "/health/recount", {})
    rows = boto3.client("dynamodb").scan(TableName=fresh.table.name)["Items"]
    assert {row["sk"]["S"].partition("#")[0] for row in rows} >= {"TASK", "S", "HR"}
    wrong = [
        (row["pk"], row["sk"], name)
        for row in rows
        for name, kind in _declared_types().items()
        if name in row and kind not in row[name]
    ]
    assert wrong == []
