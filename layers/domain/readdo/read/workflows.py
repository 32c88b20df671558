"""Starting an execution. Its name is made of ids alone; a start that is lost is found by its due time."""

import json
from collections.abc import Mapping
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from readdo.runtime import client, logger, setting


def process_item(item: Mapping[str, Any]) -> None:
    given = {"owner": item["owner"], "item": item["id"], "run": item["run_id"]}
    _start("PROCESS_MACHINE_ARN", f"{item['run_id']}-{item['starts']}", given)


def export_item(export: Mapping[str, Any]) -> None:
    given = {"owner": export["owner"], "item": export["item"], "export": export["key_digest"]}
    given |= {"run": export["run_id"], "epoch": export["epoch"]}
    _start("EXPORT_MACHINE_ARN", f"{export['run_id']}-{export['epoch']}", given)


def back_up(backup: Mapping[str, Any]) -> None:
    given = {"owner": backup["owner"], "backup": backup["id"], "epoch": backup["epoch"]}
    _start("BACKUP_MACHINE_ARN", f"{backup['id']}-{backup['epoch']}", given)


def import_file(asked: Mapping[str, Any]) -> None:
    given = {"owner": asked["owner"], "import": asked["id"], "epoch": asked["epoch"]}
    given |= {"read": "pages" in asked, "slice": 0, "wait": 0}
    _start("IMPORT_MACHINE_ARN", f"{asked['id']}-{asked['epoch']}", given)


def restore(restore: Mapping[str, Any]) -> None:
    given = {"owner": restore["owner"], "restore": restore["id"], "epoch": restore["epoch"]}
    _start("RESTORE_MACHINE_ARN", f"{restore['id']}-{restore['epoch']}", given)


def _start(machine: str, name: str, given: Mapping[str, Any]) -> None:
    try:
        client("stepfunctions").start_execution(stateMachineArn=setting(machine), name=name, input=json.dumps(given))
    except (BotoCoreError, ClientError) as error:
        # Started already, or not started: either way the row carries a due time, and the heartbeat looks again.
        logger.warning("execution not started", extra={"execution": name, "reason": str(error)[:200]})
