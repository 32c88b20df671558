"""Apply an action to one task and print the result with the next command."""

import getpass
import socket
from collections.abc import Mapping
from typing import Any

import click

from terminal import time_format
from terminal.api import ApiResponse, at
from terminal.desk import names
from terminal.desk.words import Row, short, title_of
from terminal.failures import FAILED, REFUSED, CommandFailure, missing, usage
from terminal.session import Session

PAGE = "page"  # the worker name of the web page, which is the same user
HOURS_LEASE = 3600  # the longest lease of the API: a user sends no heartbeats
_NEXT = {
    "todo": "claim it: readdo task claim {id}",
    "inbox": "move it to the queue: readdo task enqueue {id}",
    "blocked": "see why: readdo task show {id}",
}


def me() -> str:
    """Return the default worker name: user and machine."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"[:120]
    except (OSError, KeyError):
        return "somebody"


def make(session: Session, name: str, verb: str, body: Mapping[str, Any] | None = None) -> int:
    response = session.api.post(at("tasks", names.find(session.api, name), verb), body)
    session.tell(response, lambda data: tell(session, data["task"]))
    return 0


def tell(session: Session, task: Row, status: str = "") -> None:
    screen, name, state = session.screen, short(str(task["id"])), str(task["status"])
    screen.paragraph(f"{status or state}: {title_of(task)}", first=("✓ ", "green") if screen.live else "")
    if screen.live and state in _NEXT:
        screen.line((f"  {name}  ", "bold"), (_NEXT[state].format(id=name), "dim"))


def added(session: Session, response: ApiResponse) -> None:
    if not session.screen.live:
        session.screen.line(str(response.data["task"]["id"]))
    else:
        tell(session, response.data["task"])
    if response.status == 200:
        session.note("This task already exists and was not changed.")


def cancel(session: Session, name: str, *, yes: bool) -> int:
    if not yes and not session.can_prompt:
        raise usage("This needs a confirmation, and there is no terminal.", "To cancel without confirmation: --yes")
    task_id = names.find(session.api, name)
    if not yes:
        task = session.api.get(at("tasks", task_id)).data["task"]
        session.notes.paragraph(title_of(task), first=(f"  {short(task_id)}  ", "bold"))
        if not click.confirm("Cancel this task and its run permanently?", default=False, err=True):
            session.note("Nothing was cancelled.")
            return FAILED
    return make(session, task_id, "cancel")


def claim(session: Session, name: str | None, intents: tuple[str, ...], worker: str | None) -> int:
    body: dict[str, Any] = {"worker": worker or me(), "lease_seconds": HOURS_LEASE}
    body |= {"intents": list(intents)} if intents else {}
    body |= {"task": names.find(session.api, name)} if name else {}
    response = session.api.post("/tasks/claim", body)
    if response.status == 204:
        for_intents = f" for {', '.join(intents)}" if intents else ""
        raise missing(f"No tasks{for_intents} are waiting.", "List the tasks: readdo task list")
    session.tell(response, lambda data: _show_claim(session, data["task"], data["run"]))
    return 0


def _show_claim(session: Session, task: Row, run: Row) -> None:
    if not session.screen.live:
        session.screen.line(str(task["id"]))
    else:
        session.screen.paragraph(title_of(task), "bold", first=("Assigned to you: ", "green"))
    until = time_format.until(run.get("lease_expires_at"), session.outside.now())
    session.note(f"Returns to the queue {until}. When you are done: readdo task done {short(str(task['id']))}")


def done(session: Session, name: str, summary: str, worker: str | None) -> int:
    """Complete a task for the user: claim it first if needed, and fail if another worker has it."""
    task_id, who = names.find(session.api, name), worker or me()
    task = session.api.get(at("tasks", task_id)).data["task"]
    if task["status"] == "doing":
        if task.get("worker") not in (who, PAGE):
            raise CommandFailure(
                f"This task is assigned to {task.get('worker', 'another worker')}.",
                f"To take it over, block it first: readdo task block {short(task_id)} REASON",
                exit_code=REFUSED,
                code="STATE_CONFLICT",
            )
        run_id = str(task["run_id"])
    else:
        claimed = session.api.post("/tasks/claim", {"worker": who, "task": task_id}).data
        run_id = str(claimed["run"]["id"])
    session.api.post(at("runs", run_id, "start"))
    result = {"exit_code": 0, "summary": summary or "Done by a user."}
    response = session.api.post(at("runs", run_id, "complete"), result)
    session.tell(response, lambda data: tell(session, data["task"]))
    return 0
