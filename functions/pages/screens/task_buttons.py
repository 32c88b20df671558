"""Which buttons a task has, and to which column of the board each leads. What may be done comes from the tables."""

from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.do import actions
from readdo.do.task_requests import Patience
from readdo.lifecycle.task import BLOCKED, CANCELLED, DOING, DONE, INBOX, TO_DO

COLUMNS = (INBOX, TO_DO, DOING, BLOCKED, DONE)
# button → the column that it leads to, in the order in which they are offered: the first that is there stands out
LEADS = {
    "enqueue": TO_DO,
    "claim": DOING,
    "start": DOING,
    "complete": DONE,
    "requeue": TO_DO,
    "block": BLOCKED,
    "cancel": CANCELLED,
}
# A person works on it: there is no program that says that it lives, so they have a day until it goes back.
PAGE, PATIENCE = "page", Patience(lease_seconds=86_400, timeout_seconds=2 * 86_400)


def moves(task: Mapping[str, Any], run: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """`run`: the one that works on it now."""
    may = {action["action"] for action in actions.of_task(task, clock.now())}
    if run and task["status"] == DOING:
        own = {"complete"} | ({"start"} if run["worker"] == PAGE else set())
        may |= own & _of_run(run)
    return [{"name": name, "to": to} for name, to in LEADS.items() if name in may]


def _of_run(run: Mapping[str, Any]) -> set[str]:
    """A start that was said before need not be said again; one that was not is said by whoever says that it is done."""
    may = {action["action"] for action in actions.of_run(run)}
    return may | ({"complete"} if "start" in may else set())
