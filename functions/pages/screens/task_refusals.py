"""Texts for refused changes of tasks and runs: the status, and the allowed actions."""

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.task import TASK
from screens.i18n import Words
from screens.task_buttons import moves


def of_work(refused: Refused, words: Words) -> str:
    if refused.machine is not TASK:
        return words("refused.run", state=words(f"run.{refused.status}"))
    row = refused.row or {}
    reason = words.either(f"blocked.{row.get('blocked_reason')}", "")
    values = {
        "state": words(f"task.{refused.status}"),
        "why": words("refused.task.why", why=reason) if reason else "",
        "done": words.either(f"undone.task_{refused.trigger}", words("undone.other")),
    }
    allowed = words("list.comma").join(words(f"move.{move['name']}") for move in moves(row, None))
    return words("refused.task", **values) + (words("refused.may", may=allowed) if allowed else "")
