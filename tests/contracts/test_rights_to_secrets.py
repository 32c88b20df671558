"""What webhooks are signed with: the doors write it, the sender reads it, and nobody else comes near."""

from template_rights import many, resources, statements


def test_what_webhooks_are_signed_with_is_read_by_the_sender_alone() -> None:
    reading = {"GetItem", "BatchGetItem", "Query", "Scan", "ConditionCheckItem"}
    may = {
        (role, action)
        for role, statement in ((role, s) for role in resources("AWS::IAM::Role") for s in statements(role))
        for action in many(statement["Action"])
        if "S#*" in str(statement.get("Condition")) and action.removeprefix("dynamodb:") in reading
    }
    assert may == {("DeliverRole", "dynamodb:GetItem")}
