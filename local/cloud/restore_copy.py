"""The table as it was: a copy beside it, which AWS makes. One that is there already, from an earlier try, is taken."""

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
_UNSEEN = 12  # times that a table may not be known yet which was just asked for
_LONGEST = 255  # of a table's name


def name_of(table: str, at: datetime) -> str:
    name = f"{table}-at-{at:%Y%m%dT%H%M%SZ}"
    if len(name) > _LONGEST:
        raise usage(f"The copy's name would be {name}, which is longer than AWS allows.")
    return name


def is_there(table: str, copy: str, place: Place, at: datetime) -> bool:
    """Refuses what cannot be gone back to, before anything is asked or done."""
    found = data.described(copy)
    if found is None:
        _check_window(table, place, at)
        return False
    of = str(found.get("RestoreSummary", {}).get("SourceTableArn", ""))
    if of.rpartition("/")[2] != table:
        raise CommandFailure(
            f"There is a table {copy}, and it is no copy of {table}. Nothing was done.", exit_code=REFUSED
        )
    return True


def _check_window(table: str, place: Place, at: datetime) -> None:
    told = client("dynamodb").describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    window = told.get("PointInTimeRecoveryDescription", {})
    if window.get("PointInTimeRecoveryStatus") != "ENABLED":
        raise CommandFailure(
            f"Point-in-time recovery of the table {table} is off, so AWS cannot go back. Nothing was done.",
            "Was it backed up by hand, or by AWS Backup? See:",
            f"  {aws(place, 'list-backups', table)} --backup-type ALL",
            exit_code=REFUSED,
        )
    first, last = window.get("EarliestRestorableDateTime"), window.get("LatestRestorableDateTime")
    if (first and at < first) or (last and at > last):
        raise CommandFailure(
            f"AWS cannot go back to {stamp(at)}. Nothing was done.",
            f"The earliest is {stamp(first) if first else 'not known'}.",
            f"The latest is {stamp(last) if last else 'not known'}; it moves on, some five minutes behind the clock.",
            exit_code=REFUSED,
        )


def make(table: str, copy: str, at: datetime) -> None:
    try:
        client("dynamodb").restore_table_to_point_in_time(
            SourceTableName=table, TargetTableName=copy, RestoreDateTime=at
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "TableAlreadyExistsException":  # made at the same time, or sent twice
            raise


def ready(session: Session, copy: str) -> None:
    progress, looks, unseen = ProgressLine(session), 0, 0
    try:
        while not _is_whole(found := data.described(copy), copy):
            unseen = 0 if found else unseen + 1
            if unseen > _UNSEEN:
                raise CommandFailure(f"AWS does not know the copy {copy} that it was making.")
            progress.show(f"AWS is making the copy, for {looks * _SECONDS // 60} minutes now")
            session.outside.sleep(_SECONDS)
            looks += 1
    finally:
        progress.clear()
    progress.done(f"The copy is there: {copy}")


def _is_whole(found: dict[str, Any] | None, copy: str) -> bool:
    status = found["TableStatus"] if found else "CREATING"
    if status not in ("CREATING", "ACTIVE", "UPDATING"):
        raise CommandFailure(f"The copy {copy} is {status}.", "When it is gone: again, which makes a new one.")
    return bool(found) and status == "ACTIVE" and not (found or {}).get("RestoreSummary", {}).get("RestoreInProgress")
