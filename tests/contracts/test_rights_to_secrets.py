"""Signing secrets of webhooks: the API and pages write them, only deliver reads them."""

from contracts.template_rights import many, resources, statements


def test_only_deliver_may_read_webhook_secrets() -> None:
    reading = {"GetItem", "BatchGetItem", "Query", "Scan", "ConditionCheckItem"}
    may = {
        (role, action)
        for role, statement in ((role, s) for role in resources("AWS::IAM::Role") for s in statements(role))
        for action in many(statement["Action"])
        if "S#*" in str(statement.get("Condition")) and action.removeprefix("dynamodb:") in reading
    }
    assert may == {("DeliverRole", "dynamodb:GetItem")}
