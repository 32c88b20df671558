"""The table and the bucket themselves. Each step may find itself done: by an earlier try that broke off."""

from typing import Any

from botocore.exceptions import ClientError

from cloud.aws import client
from cloud.progress import ProgressLine
from readdo.store.keys import DUE_INDEX, INBOX_INDEX
from terminal.failures import CommandFailure
from terminal.session import Session

_SECONDS = 3


def described(table: str) -> dict[str, Any] | None:
    try:
        return dict(client("dynamodb").describe_table(TableName=table)["Table"])
    except ClientError as error:
        if _code(error) == "ResourceNotFoundException":
            return None
        raise


def is_ours(table: str) -> bool:
    """By its form: nobody else's has both indexes over such keys."""
    found = described(table) or {}
    keys = [key["AttributeName"] for key in found.get("KeySchema", [])]
    indexes = {index["IndexName"] for index in found.get("GlobalSecondaryIndexes", [])}
    return keys == ["pk", "sk"] and indexes >= {INBOX_INDEX, DUE_INDEX}


def is_there(bucket: str) -> bool:
    try:
        client("s3").head_bucket(Bucket=bucket)
    except ClientError as error:
        if _code(error) in ("404", "NoSuchBucket"):
            return False
        raise
    return True


def folders(bucket: str) -> set[str]:
    """What lies at the top, old versions too."""
    found: set[str] = set()
    for page in client("s3").get_paginator("list_object_versions").paginate(Bucket=bucket, Delimiter="/"):
        found |= {common["Prefix"].rstrip("/") for common in page.get("CommonPrefixes", [])}
        found |= {entry["Key"] for entry in _entries(page)}
    return found


def delete_table(session: Session, table: str) -> None:
    progress, dynamodb = ProgressLine(session), client("dynamodb")
    found = described(table)
    if found and found.get("DeletionProtectionEnabled"):
        dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
    while found:
        try:
            # Refused as long as a change, that of the protection too, is being made, or the deletion itself.
            dynamodb.delete_table(TableName=table)
        except ClientError as error:
            if _code(error) not in ("ResourceInUseException", "ResourceNotFoundException"):
                raise
        found = described(table)
        if found:
            progress.show(f"Table {table}: {found['TableStatus'].lower()}")
            session.outside.sleep(_SECONDS)
    progress.done(f"The table {table} is deleted.")


def delete_bucket(session: Session, bucket: str, account: str) -> None:
    progress, s3, gone = ProgressLine(session), client("s3"), 0
    its = {"Bucket": bucket, "ExpectedBucketOwner": account}
    try:
        while found := _entries(s3.list_object_versions(**its)):
            # A page has as many as one call may delete; the next first page begins where this one ended.
            together = [{"Key": entry["Key"], "VersionId": entry["VersionId"]} for entry in found]
            answer = s3.delete_objects(**its, Delete={"Objects": together, "Quiet": True})
            if errors := answer.get("Errors"):
                raise _kept(errors)
            gone += len(together)
            progress.show(f"Bucket {bucket}: {gone:,} versions of objects deleted")
        s3.delete_bucket(**its)
    except ClientError as error:
        progress.clear()
        if _code(error) != "NoSuchBucket":
            raise
    progress.done(f"The bucket {bucket} is deleted, with {gone:,} versions of objects.")


def _kept(errors: list[dict[str, Any]]) -> CommandFailure:
    first = errors[0]
    return CommandFailure(f"S3 did not delete {len(errors)} objects; {first.get('Key')}: {first.get('Message')}.")


def _entries(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [*page.get("Versions", []), *page.get("DeleteMarkers", [])]


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code"))
