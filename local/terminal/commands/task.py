"""What is to be done: added, listed, taken, done."""

from pathlib import Path
from typing import Any

import click

from terminal.command import TASK, folder_option, task_argument, verb
from terminal.desk.words import OPEN, PRIORITIES, STATES
from terminal.session import Session

_PRIORITY = click.Choice(PRIORITIES, case_sensitive=False)


@click.group("task")
def command() -> None:
    """What is to be done: added, listed, taken, done.

    A task is done by a person (claim, done) or by a program (readdo work); each try is a run. An ID is the short one
    that `task list` shows, or any four letters or more of its beginning or end; @ is the newest task.
    """


@verb("add")
@click.argument("intent")
@click.option("--title", metavar="TEXT", help="For a person, in one line.")
@click.option("--payload", metavar="JSON|@FILE", help="What its worker needs to know; @- reads it from stdin.")
@click.option("--priority", type=_PRIORITY, help="P0 is taken first.  [P2]")
@click.option("--project", metavar="NAME", help="What it belongs to.")
@click.option(
    "--depends-on", "depends_on", multiple=True, metavar="ID", type=TASK, help="Not before this is done; repeatable."
)
@click.option("--due", "due_date", metavar="DAY", help="A day, such as 2026-11-30.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Yours; repeatable.")
@click.option("--timeout", "timeout_seconds", type=int, metavar="SECONDS", help="How long a run may take.  [300]")
@click.option("--max-retries", type=int, metavar="N", help="Tried so often again if it fails by itself.  [0]")
@click.option("--hold", is_flag=True, help="Nobody takes it before `readdo task enqueue`.")
@click.option("--id", "id", metavar="UUID", help="Its name: the same again is the same task.")
@click.pass_obj
def add(session: Session, /, intent: str, payload: str | None, **given: Any) -> int:
    """Add a task. INTENT says what is to be done: runQA, fixBug, write … or a name of yours."""
    from terminal.desk import names, new_task, task_moves  # noqa: PLC0415 - not for --help

    given["depends_on"] = [names.find(session.api, name) for name in given["depends_on"]]
    answer = session.api.post("/tasks", new_task.body(intent, payload, **given))
    session.tell(answer, lambda _: task_moves.added(session, answer))
    return 0


@verb("list")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(STATES, case_sensitive=False),
    metavar="STATUS",
    help="Only these: inbox, todo, doing, blocked, done, cancelled; repeatable. The open ones, if none is named.",
)
@click.option("--priority", multiple=True, type=_PRIORITY, metavar="P0…P3", help="Only these; repeatable.")
@click.option("--intent", multiple=True, metavar="INTENT", help="Only these; repeatable.")
@click.option("--project", multiple=True, metavar="NAME", help="Only these; repeatable.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="At most so many.")
@click.option("--all", "whole", is_flag=True, help="Every status, however many: the done and the cancelled too.")
@click.pass_obj
def listed(session: Session, /, whole: bool, limit: int, **filters: tuple[str, ...]) -> None:
    """What is to be done: P0 first, then the oldest.

    In a pipe each task is one line, its columns parted by tabs: id, status, priority, intent, project, created, worker,
    title, why it is blocked.
    """
    from terminal.desk import task_list  # noqa: PLC0415 - not for --help

    asked = {**filters, "status": filters["status"] or (() if whole else OPEN)}
    task_list.show(session, asked, limit, whole=whole)


@verb("show")
@task_argument
@click.pass_obj
def show(session: Session, name: str) -> None:
    """A task whole: its payload, its runs and what shows how they went, its history, and what can be done next."""
    from terminal.desk import task_list  # noqa: PLC0415 - not for --help

    task_list.one(session, name)


@verb("files")
@task_argument
@click.option("--run", "attempt", type=click.IntRange(1), metavar="N", help="Of this try.  [the newest that has some]")
@folder_option
@click.pass_obj
def files(session: Session, name: str, attempt: int | None, folder: Path) -> int:
    """Bring what shows how it went: the log of its newest run, reports, pictures. No file of yours is overwritten."""
    from terminal.desk import run_files  # noqa: PLC0415 - not for --help

    return run_files.download_files(session, name, attempt, folder)


@verb("claim")
@click.argument("name", metavar="[ID]", type=TASK, required=False)
@click.option("--intent", "intents", multiple=True, metavar="INTENT", help="The next one for this; repeatable.")
@click.option("--worker", metavar="NAME", help="Who takes it.  [you, on this machine]")
@click.pass_obj
def claim(session: Session, name: str | None, intents: tuple[str, ...], worker: str | None) -> int:
    """Take the next task, or this one, for an hour. When it is done: readdo task done ID"""
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.claim(session, name, intents, worker)


@verb("done")
@task_argument
@click.option("--summary", "-m", metavar="TEXT", default="", help="What was done.")
@click.option("--worker", metavar="NAME", help="Who has done it.  [you, on this machine]")
@click.pass_obj
def done(session: Session, name: str, summary: str, worker: str | None) -> int:
    """You have done it. Nobody need have taken it before; what another works on is theirs."""
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.done(session, name, summary, worker)


@verb("block")
@task_argument
@click.argument("reason", nargs=-1, required=True)
@click.pass_obj
def block(session: Session, name: str, reason: tuple[str, ...]) -> int:
    """Keep it from going on until you say so; a run that works on it is cancelled."""
    return _move(session, name, "block", {"reason": " ".join(reason)})


@verb("requeue")
@task_argument
@click.option("--regardless", is_flag=True, help="Whatever it depends on.")
@click.pass_obj
def requeue(session: Session, name: str, regardless: bool) -> int:
    """Let a blocked task be tried again, and forget how often it was."""
    return _move(session, name, "requeue", {"regardless": True} if regardless else {})


@verb("enqueue")
@task_argument
@click.pass_obj
def enqueue(session: Session, name: str) -> int:
    """Let a held task be claimed."""
    return _move(session, name, "enqueue", {})


@verb("cancel")
@task_argument
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.pass_obj
def cancel(session: Session, name: str, yes: bool) -> int:
    """Cancel it for good, and the run that works on it. It asks first."""
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.cancel(session, name, yes=yes)


def _move(session: Session, name: str, verb_: str, body: dict[str, Any]) -> int:
    from terminal.desk import task_moves  # noqa: PLC0415 - not for --help

    return task_moves.make(session, name, verb_, body)


for each in (add, listed, show, files, claim, done, block, requeue, enqueue, cancel):
    command.add_command(each)
