"""Inspect and delete the table and the bucket. Every step can be repeated after an interruption."""

from typing import Any

from botocore.exceptions import ClientError

from cloud.aws import client
from cloud.progress import ProgressLine
from readdo.store.keys import DUE_INDEX, INBOX_INDEX
from terminal.failures import CommandFailure
from terminal.session import Session

_SECONDS = 3


def describe(table: str) -> dict[str, Any] | None:
    try:
        return dict(client("dynamodb").describe_table(TableName=table)["Table"])
    except ClientError as error:
        if _code(error) == "ResourceNotFoundException":
            return None
        raise


def is_readdo_table(table: str) -> bool:
    """Return true if the table has the keys and both indexes of Read→Do."""
    description = describe(table) or {}
    keys = [key["AttributeName"] for key in description.get("KeySchema", [])]
    indexes = {index["IndexName"] for index in description.get("GlobalSecondaryIndexes", [])}
    return keys == ["pk", "sk"] and indexes >= {INBOX_INDEX, DUE_INDEX}


def bucket_exists(bucket: str) -> bool:
    try:
        client("s3").head_bucket(Bucket=bucket)
    except ClientError as error:
        if _code(error) in ("404", "NoSuchBucket"):
            return False
        raise
    return True


def folders(bucket: str) -> set[str]:
    """Return the top-level folders and keys, those of old versions too."""
    names: set[str] = set()
    for page in client("s3").get_paginator("list_object_versions").paginate(Bucket=bucket, Delimiter="/"):
        names |= {common["Prefix"].rstrip("/") for common in page.get("CommonPrefixes", [])}
        names |= {entry["Key"] for entry in _entries(page)}
    return names


def delete_table(session: Session, table: str) -> None:
    progress, dynamodb = ProgressLine(session), client("dynamodb")
    description = describe(table)
    if description and description.get("DeletionProtectionEnabled"):
        dynamodb.update_table(TableName=table, DeletionProtectionEnabled=False)
    while description:
        try:
            # AWS rejects this during an update (of the protection, too) and during the deletion itself.
            dynamodb.delete_table(TableName=table)
        except ClientError as error:
            if _code(error) not in ("ResourceInUseException", "ResourceNotFoundException"):
                raise
        description = describe(table)
        if description:
            progress.show(f"Table {table}: {description['TableStatus'].lower()}")
            session.outside.sleep(_SECONDS)
    progress.done(f"Deleted the table {table}.")


def delete_bucket(session: Session, bucket: str, account: str) -> None:
    progress, s3, deleted = ProgressLine(session), client("s3"), 0
    bucket_arguments = {"Bucket": bucket, "ExpectedBucketOwner": account}
    try:
        while versions := _entries(s3.list_object_versions(**bucket_arguments)):
            # A page has as many versions as one call may delete; after deletion the first page is the next one.
            batch = [{"Key": entry["Key"], "VersionId": entry["VersionId"]} for entry in versions]
            response = s3.delete_objects(**bucket_arguments, Delete={"Objects": batch, "Quiet": True})
            if errors := response.get("Errors"):
                raise _deletion_failure(errors)
            deleted += len(batch)
            progress.show(f"Bucket {bucket}: {deleted:,} object versions deleted")
        s3.delete_bucket(**bucket_arguments)
    except ClientError as error:
        progress.clear()
        if _code(error) != "NoSuchBucket":
            raise
    progress.done(f"Deleted the bucket {bucket} with {deleted:,} object versions.")


def _deletion_failure(errors: list[dict[str, Any]]) -> CommandFailure:
    first = errors[0]
    return CommandFailure(f"S3 could not delete {len(errors)} objects. {first.get('Key')}: {first.get('Message')}.")


def _entries(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [*page.get("Versions", []), *page.get("DeleteMarkers", [])]


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code"))
