"""Start the executions of the Read desk."""

from collections.abc import Mapping
from typing import Any

from readdo.invocations import start_execution


def process_item(item: Mapping[str, Any]) -> None:
    payload = {"owner": item["owner"], "item": item["id"], "run": item["run_id"]}
    start_execution("PROCESS_MACHINE_ARN", f"{item['run_id']}-{item['starts']}", payload)


def export_item(export: Mapping[str, Any]) -> None:
    payload = {"owner": export["owner"], "item": export["item"], "export": export["key_digest"]}
    payload |= {"run": export["run_id"], "epoch": export["epoch"]}
    start_execution("EXPORT_MACHINE_ARN", f"{export['run_id']}-{export['epoch']}", payload)
