"""Create a copy of the table at a point in time, or reuse the copy of an earlier try."""

from datetime import datetime
from typing import Any

from botocore.exceptions import ClientError

from cloud import data
from cloud.aws import client
from cloud.progress import ProgressLine
from cloud.restore_options import stamp
from cloud.restore_source import aws
from cloud.stack_location import Place
from terminal.failures import REFUSED, CommandFailure, usage
from terminal.session import Session

_SECONDS = 10
_MISSING_POLLS = 12  # polls during which a requested table may not be visible yet
_LONGEST = 255  # characters of a table's name


def name_of(table: str, at: datetime) -> str:
    name = f"{table}-at-{at:%Y%m%dT%H%M%SZ}"
    if len(name) > _LONGEST:
        raise usage(f"The name of the copy would be too long for AWS: {name}")
    return name


def exists(table: str, copy: str, place: Place, at: datetime) -> bool:
    """Return true if the copy exists. Fail if AWS cannot restore to that time, before any change."""
    description = data.describe(copy)
    if description is None:
        _check_window(table, place, at)
        return False
    source_arn = str(description.get("RestoreSummary", {}).get("SourceTableArn", ""))
    if source_arn.rpartition("/")[2] != table:
        raise CommandFailure(
            f"The table {copy} exists, but is not a copy of {table}. Nothing was changed.", exit_code=REFUSED
        )
    return True


def _check_window(table: str, place: Place, at: datetime) -> None:
    description = client("dynamodb").describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    window = description.get("PointInTimeRecoveryDescription", {})
    if window.get("PointInTimeRecoveryStatus") != "ENABLED":
        raise CommandFailure(
            f"Point-in-time recovery is off for the table {table}. Nothing was changed.",
            "List backups made by you or by AWS Backup:",
            f"  {aws(place, 'list-backups', table)} --backup-type ALL",
            exit_code=REFUSED,
        )
    first, last = window.get("EarliestRestorableDateTime"), window.get("LatestRestorableDateTime")
    if (first and at < first) or (last and at > last):
        raise CommandFailure(
            f"AWS cannot restore to {stamp(at)}. Nothing was changed.",
            f"Earliest time: {stamp(first) if first else 'unknown'}.",
            f"Latest time: {stamp(last) if last else 'unknown'}, about five minutes ago.",
            exit_code=REFUSED,
        )


def make(table: str, copy: str, at: datetime) -> None:
    try:
        client("dynamodb").restore_table_to_point_in_time(
            SourceTableName=table, TargetTableName=copy, RestoreDateTime=at
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "TableAlreadyExistsException":  # created concurrently, or by a retry
            raise


def ready(session: Session, copy: str) -> None:
    progress, polls, missing_polls = ProgressLine(session), 0, 0
    try:
        while not _is_ready(description := data.describe(copy), copy):
            missing_polls = 0 if description else missing_polls + 1
            if missing_polls > _MISSING_POLLS:
                raise CommandFailure(f"The copy {copy} was not found in AWS.")
            progress.show(f"Creating the copy: {polls * _SECONDS // 60} minutes so far")
            session.outside.sleep(_SECONDS)
            polls += 1
    finally:
        progress.clear()
    progress.done(f"Created the copy {copy}")


def _is_ready(description: dict[str, Any] | None, copy: str) -> bool:
    status = description["TableStatus"] if description else "CREATING"
    if status not in ("CREATING", "ACTIVE", "UPDATING"):
        raise CommandFailure(f"The copy {copy} is {status}.", "When it is deleted, run the same command again.")
    return (
        bool(description)
        and status == "ACTIVE"
        and not (description or {}).get("RestoreSummary", {}).get("RestoreInProgress")
    )
