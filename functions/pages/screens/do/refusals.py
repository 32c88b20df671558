"""Texts for refused changes of tasks and runs: the status, and the allowed actions."""

from typing import cast

from readdo.do.rows import TaskRow
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from screens.do.task_buttons import moves
from screens.i18n import Words


def _refused_task(refused: Refused, words: Words) -> str:
    row = refused.row or {}
    reason = words.either(f"blocked.{row.get('blocked_reason')}", "")
    values = {
        "state": words(f"task.{refused.status}"),
        "why": words("refused.task.why", why=reason) if reason else "",
        "done": words.either(f"undone.task_{refused.trigger}", words("undone.other")),
    }
    allowed = words("list.comma").join(
        words(f"move.{move['name']}") for move in moves(cast("TaskRow", dict(row)), None)
    )
    return words("refused.task", **values) + (words("refused.may", may=allowed) if allowed else "")


def _refused_run(refused: Refused, words: Words) -> str:
    return words("refused.run", state=words(f"run.{refused.status}"))


REFUSALS = {TASK.name: _refused_task, RUN.name: _refused_run}
