"""Failed executions of the Read desk: of an export, or of a step of an item."""

from collections.abc import Mapping
from typing import Any

from readdo.jobs.background_work import FailureRecorder
from readdo.read import export_run, step_failures
from readdo.read.run_steps import RunFence
from readdo.store.table import DynamoTable


def _record_export(table: DynamoTable, event: Mapping[str, Any], error: Mapping[str, str], at: str) -> str:
    return export_run.fail(table, export_run.ExportRun.of(event), error, at).code


def _record_step(table: DynamoTable, event: Mapping[str, Any], error: Mapping[str, str], at: str) -> str:
    return step_failures.record(table, RunFence.of(event), error, at).code


# The input of an export has an `item`, too, so `export` comes first.
FAILURES: Mapping[str, FailureRecorder] = {"export": _record_export, "item": _record_step}
