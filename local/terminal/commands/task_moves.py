"""Subcommands of `readdo task` that move a task to another state: claim, done, block, cancel …"""

import getpass
import socket
from collections.abc import Mapping
from typing import Any

import click

from terminal import names, time_format
from terminal.api import at
from terminal.command import TASK, task_argument, verb
from terminal.failures import FAILED, REFUSED, CommandFailure, missing, usage
from terminal.session import Session
from terminal.words import Row, short, task_title

PAGE = "page"  # the worker name of the web page, which is the same user
HOURS_LEASE = 3600  # the longest lease of the API: a user sends no heartbeats
_NEXT = {
    "todo": "claim it: readdo task claim {id}",
    "inbox": "move it to the queue: readdo task enqueue {id}",
    "blocked": "see why: readdo task show {id}",
}


@verb("claim")
@click.argument("name", metavar="[ID]", type=TASK, required=False)
@click.option(
    "--intent", "intents", multiple=True, metavar="INTENT", help="Claim the next task of this intent; repeatable."
)
@click.option("--worker", metavar="NAME", help="Who claims it.  [you, on this machine]")
@click.pass_obj
def claim(session: Session, name: str | None, intents: tuple[str, ...], worker: str | None) -> None:
    """Assign the next task, or this one, to you for an hour. When you are done: readdo task done ID"""
    body: dict[str, Any] = {"worker": worker or me(), "lease_seconds": HOURS_LEASE}
    body |= {"intents": list(intents)} if intents else {}
    body |= {"task": names.find_task(session.api, name)} if name else {}
    response = session.api.post("/tasks/claim", body)
    if response.status == 204:
        for_intents = f" for {', '.join(intents)}" if intents else ""
        raise missing(f"No tasks{for_intents} are waiting.", "List the tasks: readdo task list")
    session.tell(response, lambda data: _show_claim(session, data["task"], data["run"]))


@verb("done")
@task_argument
@click.option("--summary", "-m", metavar="TEXT", default="", help="What was done.")
@click.option("--worker", metavar="NAME", help="Who did it.  [you, on this machine]")
@click.pass_obj
def done(session: Session, name: str, summary: str, worker: str | None) -> None:
    """Mark a task as done.

    You need not claim it first. A task that is assigned to someone else is rejected.
    """
    task_id, who = names.find_task(session.api, name), worker or me()
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


@verb("block")
@task_argument
@click.argument("reason", nargs=-1, required=True)
@click.pass_obj
def block(session: Session, name: str, reason: tuple[str, ...]) -> None:
    """Block a task until you requeue it. A running run is cancelled."""
    _move(session, name, "block", {"reason": " ".join(reason)})


@verb("requeue")
@task_argument
@click.option("--regardless", is_flag=True, help="Ignore the tasks it depends on.")
@click.pass_obj
def requeue(session: Session, name: str, regardless: bool) -> None:
    """Return a blocked task to the queue and reset its attempts."""
    _move(session, name, "requeue", {"regardless": True} if regardless else {})


@verb("enqueue")
@task_argument
@click.pass_obj
def enqueue(session: Session, name: str) -> None:
    """Move a task from the inbox to the queue."""
    _move(session, name, "enqueue", {})


@verb("cancel")
@task_argument
@click.option("--yes", "-y", is_flag=True, help="Cancel without confirmation.")
@click.pass_obj
def cancel(session: Session, name: str, yes: bool) -> int:
    """Cancel a task and its run permanently. Asks for confirmation."""
    if not yes and not session.can_prompt:
        raise usage("This needs a confirmation, and there is no terminal.", "To cancel without confirmation: --yes")
    task_id = names.find_task(session.api, name)
    if not yes:
        task = session.api.get(at("tasks", task_id)).data["task"]
        session.notes.paragraph(task_title(task), first=(f"  {short(task_id)}  ", "bold"))
        if not click.confirm("Cancel this task and its run permanently?", default=False, err=True):
            session.note("Nothing was cancelled.")
            return FAILED
    _move(session, task_id, "cancel")
    return 0


def me() -> str:
    """Return the default worker name: user and machine."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"[:120]
    except (OSError, KeyError):
        return "somebody"


def _move(session: Session, name: str, call: str, body: Mapping[str, Any] | None = None) -> None:
    response = session.api.post(at("tasks", names.find_task(session.api, name), call), body)
    session.tell(response, lambda data: tell(session, data["task"]))


def tell(session: Session, task: Row) -> None:
    screen, name, state = session.screen, short(str(task["id"])), str(task["status"])
    screen.paragraph(f"{state}: {task_title(task)}", first=("✓ ", "green") if screen.live else "")
    if screen.live and state in _NEXT:
        screen.line((f"  {name}  ", "bold"), (_NEXT[state].format(id=name), "dim"))


def _show_claim(session: Session, task: Row, run: Row) -> None:
    if not session.screen.live:
        session.screen.line(str(task["id"]))
    else:
        session.screen.paragraph(task_title(task), "bold", first=("Assigned to you: ", "green"))
    until = time_format.until(run.get("lease_expires_at"), session.outside.now())
    session.note(f"Returns to the queue {until}. When you are done: readdo task done {short(str(task['id']))}")
