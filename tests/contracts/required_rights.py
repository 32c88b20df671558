"""Rights that AWS requires for a call, as botocore makes it."""

from typing import Any

from contracts.template_rights import Right

IN_PARTS = {"CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"}
MEMBERS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}


def required_rights(service: str, operation: str, ask: dict[str, Any]) -> set[Right]:
    """Return the rights that AWS requires for one call."""
    if operation == "TransactWriteItems":
        return {(f"dynamodb:{MEMBERS[kind]}", "Table") for member in ask["TransactItems"] for kind in member}
    if service == "dynamodb":
        return {(f"dynamodb:{operation}", f"Table/index/{ask['IndexName']}" if "IndexName" in ask else "Table")}
    if operation == "ListObjectsV2":
        return {("s3:ListBucket", "Bucket")}
    if operation == "DeleteObjects":
        return {("s3:DeleteObject", f"Bucket/{deleted['Key'].split('/')[0]}/*") for deleted in ask["Delete"]["Objects"]}
    if operation == "HeadObject":  # AWS requires the right to read the object
        operation = "GetObject"
    if service == "s3":
        operation = "PutObject" if operation in IN_PARTS else operation
        operations = ("GetObject", "PutObject") if operation == "CopyObject" else (operation,)
        return {(f"s3:{action}", f"Bucket/{ask['Key'].split('/')[0]}/*") for action in operations}
    if operation == "StartExecution":
        return {("states:StartExecution", ask["stateMachineArn"].rsplit(":", 1)[-1])}
    if service == "lambda" and operation == "Invoke":
        return {("lambda:InvokeFunction", ask["FunctionName"].rsplit(":", 1)[-1].split("-")[1])}
    return {(f"{service}:{operation}", "?")}


def required_row_rights(operation: str, ask: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the rights to rows of the table, each with the partition key of the row."""
    members = [(MEMBERS[kind], of) for member in ask.get("TransactItems", ()) for kind, of in member.items()]
    for many in ask.get("RequestItems", {}).values():
        members += [(operation, {"Key": key}) for key in (many["Keys"] if operation == "BatchGetItem" else ())]
        members += [(operation, of) for one in (many if operation == "BatchWriteItem" else ()) for of in one.values()]
    members += [(operation, ask)] if {"Key", "Item"} & set(ask) else []
    pairs = {(right, (of.get("Key") or of["Item"])["pk"]["S"]) for right, of in members}
    if "KeyConditionExpression" in ask and "IndexName" not in ask:
        value = ask["KeyConditionExpression"].split(" = ")[1].split()[0].strip("()")
        pairs.add((operation, ask["ExpressionAttributeValues"][value]["S"]))
    return {(f"dynamodb:{right}", key) for right, key in pairs}
