"""The buttons of a task and their columns. The lifecycle tables decide which are allowed."""

from readdo import clock
from readdo.do import actions
from readdo.do.rows import RunRow, TaskRow
from readdo.do.task_requests import Patience
from readdo.lifecycle.task import BLOCKED, CANCELLED, DOING, DONE, INBOX, TO_DO

COLUMNS = (INBOX, TO_DO, DOING, BLOCKED, DONE)
# button → the column that it leads to, in display order. The first allowed button is the main one
LEADS = {
    "enqueue": TO_DO,
    "claim": DOING,
    "start": DOING,
    "complete": DONE,
    "requeue": TO_DO,
    "block": BLOCKED,
    "cancel": CANCELLED,
}
# A user who claims a task on the page sends no heartbeats, so the lease is a day.
PAGE, PATIENCE = "page", Patience(lease_seconds=86_400, timeout_seconds=2 * 86_400)


def moves(task: TaskRow, run: RunRow | None) -> list[dict[str, str]]:
    """The allowed buttons. `run` is the current run of the task."""
    allowed = {action["action"] for action in actions.of_task(task, clock.now())}
    if run and task["status"] == DOING:
        run_actions = {"complete"} | ({"start"} if run["worker"] == PAGE else set())
        allowed |= run_actions & _actions_of_run(run)
    return [{"name": name, "to": to} for name, to in LEADS.items() if name in allowed]


def _actions_of_run(run: RunRow) -> set[str]:
    """The allowed actions of a run, with `complete` for a run that is not started yet."""
    allowed = {action["action"] for action in actions.of_run(run)}
    return allowed | ({"complete"} if "start" in allowed else set())
