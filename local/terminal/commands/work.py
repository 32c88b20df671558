"""`readdo work`: run a command for each task."""

import shutil

import click

from terminal.command import verb
from terminal.commands.task_moves import me
from terminal.failures import usage
from terminal.session import Session
from terminal.words import short
from terminal.worker.interruptions import Stop, WorkerStopped
from terminal.worker.worker import Worker, WorkerOptions


@verb("work", context_settings={"allow_interspersed_args": False})
@click.option(
    "--intent", "intents", multiple=True, required=True, metavar="INTENT", help="Intent of the tasks; repeatable."
)
@click.option("--once", is_flag=True, help="Run at most one task; exit code 1 if it failed.")
@click.option("--worker", metavar="NAME", help="Name of the worker.  [you, on this machine]")
@click.option(
    "--lease",
    type=click.IntRange(10, 3600),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="If the worker dies, its task is requeued after this time.",
)
@click.argument("program", metavar="-- COMMAND [ARGS]…", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_obj
def work(
    session: Session, intents: tuple[str, ...], once: bool, worker: str | None, lease: int, program: tuple[str, ...]
) -> int:
    """Run your command for each task: claim a task, run the command, report the result, repeat.

    The command gets the payload as JSON on stdin, and READDO_TASK_ID, READDO_RUN_ID, READDO_INTENT and READDO_ATTEMPT
    in its environment. Its output is saved as the run's log. Exit codes of the command: 0 done, 75 network error (the
    task is retried), 69 missing dependency (the task is retried later), any other: failed. After the task's timeout the
    command is stopped.

    Ctrl-C stops the command and returns its task; a second Ctrl-C exits at once.
    """
    if shutil.which(program[0], path=session.outside.environ.get("PATH")) is None:
        raise usage(f"The command {program[0]} was not found.", "Check its path and that it is executable.")
    _ = session.endpoint  # fail now if no server is set
    stop = Stop(session.outside.sleep)
    with stop.heeded():
        loop = Worker(session, WorkerOptions(intents, worker or me(), lease, once, program), stop)
        try:
            return loop.work()
        except WorkerStopped:
            if loop.holds:
                session.note(f"Stopped. Task {short(loop.holds)} returns to the queue when its lease expires.")
            return stop.exit_code
