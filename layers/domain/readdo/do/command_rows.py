"""Read the task or the run of a command."""

from typing import Any, cast

from readdo.do import task_rows
from readdo.do.rows import RunRow, TaskRow
from readdo.lifecycle.advance import NotFound, living
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import Machine
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import Key
from readdo.store.commands import CommandContext


def task_of(context: CommandContext, task_id: str, trigger: str = "") -> TaskRow:
    return cast("TaskRow", _get_row(context, TASK, task_rows.task_key(context.owner, task_id), trigger))


def run_of(context: CommandContext, run_id: str, trigger: str = "") -> RunRow:
    return cast("RunRow", _get_row(context, RUN, task_rows.run_key(context.owner, run_id), trigger))


def _get_row(context: CommandContext, machine: Machine, key: Key, trigger: str) -> dict[str, Any]:
    row = living(context.table.get(key))
    if row is None or task_rows.is_past(row, context.at):
        raise NotFound(machine, trigger, None)
    return row
