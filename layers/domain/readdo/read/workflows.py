"""Start executions. Names contain only ids; a lost start is detected by the row's due time."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.runtime import client, logger, setting


def process_item(item: Mapping[str, Any]) -> None:
    payload = {"owner": item["owner"], "item": item["id"], "run": item["run_id"]}
    _start("PROCESS_MACHINE_ARN", f"{item['run_id']}-{item['starts']}", payload)


def export_item(export: Mapping[str, Any]) -> None:
    payload = {"owner": export["owner"], "item": export["item"], "export": export["key_digest"]}
    payload |= {"run": export["run_id"], "epoch": export["epoch"]}
    _start("EXPORT_MACHINE_ARN", f"{export['run_id']}-{export['epoch']}", payload)


def back_up(backup: Mapping[str, Any]) -> None:
    payload = {"owner": backup["owner"], "backup": backup["id"], "epoch": backup["epoch"]}
    _start("BACKUP_MACHINE_ARN", f"{backup['id']}-{backup['epoch']}", payload)


def import_file(row: Mapping[str, Any]) -> None:
    payload = {"owner": row["owner"], "import": row["id"], "epoch": row["epoch"]}
    payload |= {"read": "pages" in row, "slice": 0, "wait": 0}
    _start("IMPORT_MACHINE_ARN", f"{row['id']}-{row['epoch']}", payload)


def restore(restore: Mapping[str, Any]) -> None:
    payload = {"owner": restore["owner"], "restore": restore["id"], "epoch": restore["epoch"]}
    _start("RESTORE_MACHINE_ARN", f"{restore['id']}-{restore['epoch']}", payload)


def _start(machine: str, name: str, payload: Mapping[str, Any]) -> None:
    try:
        client("stepfunctions").start_execution(stateMachineArn=setting(machine), name=name, input=json.dumps(payload))
    except (BotoCoreError, ClientError) as error:
        # Started before, or not started: in both cases the heartbeat checks the row when it is due.
        logger.warning("execution not started", extra={"execution": name, "reason": str(error)[:200]})
