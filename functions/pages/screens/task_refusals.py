"""Why a task was not moved so, or a try not told so: how it stands, and what can be done instead."""

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.task import TASK
from screens.i18n import Words
from screens.task_buttons import moves


def of_work(refused: Refused, words: Words) -> str:
    if refused.machine is not TASK:
        return words("refused.run", state=words(f"run.{refused.status}"))
    row = refused.row or {}
    reason = words.either(f"blocked.{row.get('blocked_reason')}", "")
    about = {
        "state": words(f"task.{refused.status}"),
        "why": words("refused.task.why", why=reason) if reason else "",
        "done": words.either(f"undone.task_{refused.trigger}", words("undone.other")),
    }
    may = words("list.comma").join(words(f"move.{one['name']}") for one in moves(row, None))
    return words("refused.task", **about) + (words("refused.may", may=may) if may else "")
