"""Do tasks with a command of yours."""

import shutil

import click

from terminal.command import verb
from terminal.failures import usage
from terminal.session import Session


@verb("work", context_settings={"allow_interspersed_args": False})
@click.option("--intent", "intents", multiple=True, required=True, metavar="INTENT", help="Tasks for this; repeatable.")
@click.option("--once", is_flag=True, help="One task at most: 0 if it succeeded or there was none, 1 if it failed.")
@click.option("--worker", metavar="NAME", help="Who works.  [you, on this machine]")
@click.option(
    "--lease",
    type=click.IntRange(10, 3600),
    default=120,
    show_default=True,
    metavar="SECONDS",
    help="So long after the worker has died its task goes back.",
)
@click.argument("program", metavar="-- COMMAND [ARGS]…", nargs=-1, required=True, type=click.UNPROCESSED)
@click.pass_obj
def command(
    session: Session, intents: tuple[str, ...], once: bool, worker: str | None, lease: int, program: tuple[str, ...]
) -> int:
    """Do tasks with a command of yours: take one, run the command, say how it ended; and again.

    The command gets the payload as JSON on stdin, and READDO_TASK_ID, READDO_RUN_ID, READDO_INTENT and READDO_ATTEMPT
    in its environment. What it says is kept as the run's log. It ends with 0: done; 75: the network, try again; 69:
    something it needs is not there, look again later; anything else: it failed. Past the task's timeout it is stopped.

    Ctrl-C stops the command and hands its task back; a second one leaves at once.
    """
    from terminal.desk.task_moves import me  # noqa: PLC0415 - not for --help
    from terminal.worker.worker import WorkerOptions, work  # noqa: PLC0415 - the same

    if shutil.which(program[0], path=session.outside.environ.get("PATH")) is None:
        raise usage(f"{program[0]} is no command that can be run.", "Give its path, and let it be executable.")
    return work(session, WorkerOptions(intents, worker or me(), lease, once, program))
