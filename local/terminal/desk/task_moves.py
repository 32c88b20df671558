"""What is asked of one task: ask for it, say in one line what came of it, and how one goes on."""

import getpass
import socket
from collections.abc import Mapping
from typing import Any

import click

from terminal import moments
from terminal.api import ApiResponse, at
from terminal.desk import names
from terminal.desk.words import Row, short, title_of
from terminal.failures import FAILED, REFUSED, CommandFailure, missing, usage
from terminal.session import Session

PAGE = "page"  # who works on the page is a person too, and of these there is one
HOURS_LEASE = 3600  # the longest there is: a person sends no heartbeats
_COMES = {
    "todo": "take it: readdo task claim {id}",
    "inbox": "let it be claimed: readdo task enqueue {id}",
    "blocked": "why, and what then: readdo task show {id}",
}


def me() -> str:
    """As a worker: who works on which machine."""
    try:
        return f"{getpass.getuser()}@{socket.gethostname()}"[:120]
    except (OSError, KeyError):
        return "somebody"


def make(session: Session, name: str, verb: str, body: Mapping[str, Any] | None = None) -> int:
    answer = session.api.post(at("tasks", names.find(session.api, name), verb), body)
    session.tell(answer, lambda data: tell(session, data["task"]))
    return 0


def tell(session: Session, task: Row, status: str = "") -> None:
    screen, name, state = session.screen, short(str(task["id"])), str(task["status"])
    screen.paragraph(f"{status or state}: {title_of(task)}", first=("✓ ", "green") if screen.live else "")
    if screen.live and state in _COMES:
        screen.line((f"  {name}  ", "bold"), (_COMES[state].format(id=name), "dim"))


def added(session: Session, answer: ApiResponse) -> None:
    if not session.screen.live:
        session.screen.line(str(answer.data["task"]["id"]))
    else:
        tell(session, answer.data["task"])
    if answer.status == 200:
        session.note("It was there already, and is as it was.")


def cancel(session: Session, name: str, *, yes: bool) -> int:
    if not yes and not session.asks:
        raise usage("Nobody is here to be asked whether it is meant.", "If it is: add --yes")
    task_id = names.find(session.api, name)
    if not yes:
        task = session.api.get(at("tasks", task_id)).data["task"]
        session.notes.paragraph(title_of(task), first=(f"  {short(task_id)}  ", "bold"))
        if not click.confirm("Cancel it, and the run that works on it, for good?", default=False, err=True):
            session.note("Nothing was cancelled.")
            return FAILED
    return make(session, task_id, "cancel")


def claim(session: Session, name: str | None, intents: tuple[str, ...], worker: str | None) -> int:
    body: dict[str, Any] = {"worker": worker or me(), "lease_seconds": HOURS_LEASE}
    body |= {"intents": list(intents)} if intents else {}
    body |= {"task": names.find(session.api, name)} if name else {}
    answer = session.api.post("/tasks/claim", body)
    if answer.status == 204:
        of = f" for {', '.join(intents)}" if intents else ""
        raise missing(f"There is nothing to do{of} now.", "What is there: readdo task list")
    session.tell(answer, lambda data: _claimed(session, data["task"], data["run"]))
    return 0


def _claimed(session: Session, task: Row, run: Row) -> None:
    if not session.screen.live:
        session.screen.line(str(task["id"]))
    else:
        session.screen.paragraph(title_of(task), "bold", first=("yours: ", "green"))
    until = moments.until(run.get("lease_expires_at"), session.outside.now())
    session.note(f"It goes back {until}, unless it is done: readdo task done {short(str(task['id']))}")


def done(session: Session, name: str, summary: str, worker: str | None) -> int:
    """A person did it. What somebody else works on is theirs to finish."""
    task_id, who = names.find(session.api, name), worker or me()
    task = session.api.get(at("tasks", task_id)).data["task"]
    if task["status"] == "doing":
        if task.get("worker") not in (who, PAGE):
            raise CommandFailure(
                f"{task.get('worker', 'Somebody')} is working on it.",
                f"Take it out of their hands first: readdo task block {short(task_id)} REASON",
                exit_code=REFUSED,
                code="STATE_CONFLICT",
            )
        run_id = str(task["run_id"])
    else:
        claimed = session.api.post("/tasks/claim", {"worker": who, "task": task_id}).data
        run_id = str(claimed["run"]["id"])
    session.api.post(at("runs", run_id, "start"))
    words = {"exit_code": 0, "summary": summary or "Done by a person."}
    answer = session.api.post(at("runs", run_id, "complete"), words)
    session.tell(answer, lambda data: tell(session, data["task"]))
    return 0
