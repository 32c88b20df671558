"""What is a key of an index holds what the template says it does: the database refuses a write with anything else."""

import boto3
from desk import add, claim, complete, started

from support import template
from support.world import World


def _types() -> dict[str, str]:
    table = template.source()["Resources"]["Table"]["Properties"]
    return {one["AttributeName"]: one["AttributeType"] for one in table["AttributeDefinitions"]}


def test_no_row_of_the_do_desk_holds_a_number_where_an_index_looks_for_a_text(made: World) -> None:
    """The database of these tests would take it, and the real one refuses the whole transaction."""
    for number in range(4):
        add(made, hold=number == 0)
    complete(made, started(made)["id"])
    complete(made, started(made)["id"], 1)
    claim(made)
    made.api("POST", "/health/recount", {})
    rows = boto3.client("dynamodb").scan(TableName=made.table.name)["Items"]
    assert {row["sk"]["S"].partition("#")[0] for row in rows} >= {"TASK", "S", "HR"}
    wrong = [
        (row["pk"], row["sk"], name)
        for row in rows
        for name, kind in _types().items()
        if name in row and kind not in row[name]
    ]
    assert wrong == []
