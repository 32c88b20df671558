"""`readdo task`: add, list, claim and finish tasks."""

from pathlib import Path
from typing import Any

import click

from terminal.command import TASK, folder_option, task_argument, verb
from terminal.desk.words import OPEN, PRIORITIES, STATES
from terminal.session import Session

_PRIORITY = click.Choice(PRIORITIES, case_sensitive=False)


@click.group("task")
def command() -> None:
    """Add, list, claim and finish tasks.

    You do a task yourself (claim, done), or a program does it (readdo work); each attempt is a run. ID is the short id
    from `task list`, or at least four characters from the beginning or end of an id; @ is the newest task.
    """


@verb("add")
@click.argument("intent")
@click.option("--title", metavar="TEXT", help="Title in one line.")
@click.option("--payload", metavar="JSON|@FILE", help="Input for the command, a JSON object; @- reads it from stdin.")
@click.option("--priority", type=_PRIORITY, help="P0 is claimed first.  [P2]")
@click.option("--project", metavar="NAME", help="Project of the task.")
@click.option(
    "--depends-on",
    "depends_on",
    multiple=True,
    metavar="ID",
    type=TASK,
    help="Wait until this task is done; repeatable.",
)
@click.option("--due", "due_date", metavar="DAY", help="Due date, such as 2026-11-30.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag; repeatable.")
@click.option("--timeout", "timeout_seconds", type=int, metavar="SECONDS", help="Time limit of a run.  [300]")
@click.option("--max-retries", type=int, metavar="N", help="Retries after the command failed.  [0]")
@click.option("--hold", is_flag=True, help="Add to inbox. Release it with `readdo task enqueue`.")
@click.option("--id", "id", metavar="UUID", help="Id of the task; adding the same id again creates no second task.")
@click.pass_obj
def add(session: Session, /, intent: str, payload: str | None, **options: Any) -> int:
    """Add a task. INTENT is the kind of task: runQA, fixBug, write or a name of your own."""
    from terminal.desk import names, new_task, task_moves  # noqa: PLC0415 - not for --help

    options["depends_on"] = [names.find(session.api, name) for name in options["depends_on"]]
    answer = session.api.post("/tasks", new_task.body(intent, payload, **options))
    session.tell(answer, lambda _: task_moves.added(session, answer))
    return 0


@verb("list")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(STATES, case_sensitive=False),
    metavar="STATUS",
    help="Filter by status: inbox, todo, doing, blocked, done, cancelled; repeatable.  [open tasks]",
)
@click.option("--priority", multiple=True, type=_PRIORITY, metavar="P0…P3", help="Filter by priority; repeatable.")
@click.option("--intent", multiple=True, metavar="INTENT", help="Filter by intent; repeatable.")
@click.option("--project", multiple=True, metavar="NAME", help="Filter by project; repeatable.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of tasks.")
@click.option("--all", "whole", is_flag=True, help="List all tasks, done and cancelled ones too.")
@click.pass_obj
def listed(session: Session, /, whole: bool, limit: int, **filters: tuple[str, ...]) -> None:
    """List tasks: P0 first, then the oldest.

    In a pipe, each task is one line of tab-separated columns: id, status, priority, intent, project, created, worker,
    title, reason of the block.
    """
    from terminal.desk import task_list  # noqa: PLC0415 - not for --help

    parameters = {**filters, "status": filters["status"] or (() if whole else OPEN)}
    task_list.show(session, parameters, limit, whole=whole)


@verb("show")
@task_argument
@click.pass_obj
def show(session: Session, name: str) -> None:
    """Show a task: payload, runs with their files, history, and the next commands."""
    from terminal.desk import task_list  # noqa: PLC0415 - not for --help

    task_list.one(session, name)


@verb("files")
@task_argument
@click.option("--run", "attempt", type=click.IntRange(1), metavar="N", help="Number of the run.  [newest with files]")
@folder_option
@click.pass_obj
def files(session: Session, name: str, attempt: int | None, folder: Path) -> int:
    """Download the files of a run: log, reports, pictures. Existing files are not overwritten."""
    from terminal.desk import run_files  # noqa: PLC0415 - not for --help

    return run_files.download_files(session, name, attempt, folder)


@verb("claim")
@click.argument("name", metavar="[ID]", type=TASK, required=False)
@click.option(
    "--intent", "intents", multiple=True, metavar="INTENT", help="Claim the next task of this intent; repeatable."
)
@click.option("--worker", metavar="NAME", help="Who claims it.  [you, on this machine]")
@click.pass_obj
def claim(session: Session, name: str | None, intents: tuple[str, ...], worker: str | None) -> int:
    """Assign the next task, or this one, to you for an hour. When you are done: readdo task done ID"""
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.claim(session, name, intents, worker)


@verb("done")
@task_argument
@click.option("--summary", "-m", metavar="TEXT", default="", help="What was done.")
@click.option("--worker", metavar="NAME", help="Who did it.  [you, on this machine]")
@click.pass_obj
def done(session: Session, name: str, summary: str, worker: str | None) -> int:
    """Mark a task as done.

    You need not claim it first. A task that is assigned to someone else is rejected.
    """
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.done(session, name, summary, worker)


@verb("block")
@task_argument
@click.argument("reason", nargs=-1, required=True)
@click.pass_obj
def block(session: Session, name: str, reason: tuple[str, ...]) -> int:
    """Block a task until you requeue it. A running run is cancelled."""
    return _move(session, name, "block", {"reason": " ".join(reason)})


@verb("requeue")
@task_argument
@click.option("--regardless", is_flag=True, help="Ignore the tasks it depends on.")
@click.pass_obj
def requeue(session: Session, name: str, regardless: bool) -> int:
    """Return a blocked task to the queue and reset its attempts."""
    return _move(session, name, "requeue", {"regardless": True} if regardless else {})


@verb("enqueue")
@task_argument
@click.pass_obj
def enqueue(session: Session, name: str) -> int:
    """Move a task from the inbox to the queue."""
    return _move(session, name, "enqueue", {})


@verb("cancel")
@task_argument
@click.option("--yes", "-y", is_flag=True, help="Cancel without confirmation.")
@click.pass_obj
def cancel(session: Session, name: str, yes: bool) -> int:
    """Cancel a task and its run permanently. Asks for confirmation."""
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.cancel(session, name, yes=yes)


def _move(session: Session, name: str, verb_: str, body: dict[str, Any]) -> int:
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.make(session, name, verb_, body)


for each in (add, listed, show, files, claim, done, block, requeue, enqueue, cancel):
    command.add_command(each)
