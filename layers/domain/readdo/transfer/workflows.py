"""Start the executions of imports, backups and restores."""

from collections.abc import Mapping
from typing import Any

from readdo.invocations import start_execution


def start_backup(row: Mapping[str, Any]) -> None:
    payload = {"owner": row["owner"], "backup": row["id"], "epoch": row["epoch"]}
    start_execution("BACKUP_MACHINE_ARN", f"{row['id']}-{row['epoch']}", payload)


def start_restore(row: Mapping[str, Any]) -> None:
    payload = {"owner": row["owner"], "restore": row["id"], "epoch": row["epoch"]}
    start_execution("RESTORE_MACHINE_ARN", f"{row['id']}-{row['epoch']}", payload)


def start_import(row: Mapping[str, Any]) -> None:
    payload = {"owner": row["owner"], "import": row["id"], "epoch": row["epoch"]}
    payload |= {"read": "pages" in row, "slice": 0, "wait": 0}
    start_execution("IMPORT_MACHINE_ARN", f"{row['id']}-{row['epoch']}", payload)
