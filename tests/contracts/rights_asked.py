"""The rights that AWS asks for, for a call as botocore makes it."""

from typing import Any

from template_rights import Right

IN_PARTS = {"CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"}
MEMBERS = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}


def asked_for(service: str, operation: str, ask: dict[str, Any]) -> set[Right]:
    """The rights that AWS asks for, for one call."""
    if operation == "TransactWriteItems":
        return {(f"dynamodb:{MEMBERS[kind]}", "Table") for member in ask["TransactItems"] for kind in member}
    if service == "dynamodb":
        return {(f"dynamodb:{operation}", f"Table/index/{ask['IndexName']}" if "IndexName" in ask else "Table")}
    if operation == "ListObjectsV2":
        return {("s3:ListBucket", "Bucket")}
    if operation == "DeleteObjects":
        return {("s3:DeleteObject", f"Bucket/{gone['Key'].split('/')[0]}/*") for gone in ask["Delete"]["Objects"]}
    if operation == "HeadObject":  # AWS asks for the right to read it
        operation = "GetObject"
    if service == "s3":
        operation = "PutObject" if operation in IN_PARTS else operation
        return {(f"s3:{operation}", f"Bucket/{ask['Key'].split('/')[0]}/*")}
    if operation == "StartExecution":
        return {("states:StartExecution", ask["stateMachineArn"].rsplit(":", 1)[-1])}
    if service == "lambda" and operation == "Invoke":
        return {("lambda:InvokeFunction", ask["FunctionName"].rsplit(":", 1)[-1].split("-")[1])}
    return {(f"{service}:{operation}", "?")}
