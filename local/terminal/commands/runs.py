"""`readdo runs`: list runs."""

import click

from terminal.command import verb
from terminal.desk.words import RUN_STATES
from terminal.session import Session


@verb("runs")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(RUN_STATES, case_sensitive=False),
    metavar="STATUS",
    help="Filter by status: queued, running, succeeded, failed, timeout, cancelled; repeatable.",
)
@click.option("--intent", multiple=True, metavar="INTENT", help="Filter by intent; repeatable.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of runs.")
@click.pass_obj
def command(session: Session, status: tuple[str, ...], intent: tuple[str, ...], limit: int) -> None:
    """List runs of tasks and items, newest first: status, duration, result.

    In a pipe, each run is one line of tab-separated columns: id, status, intent, task, item, attempt, worker, started,
    seconds, exit code, kind of error, message.
    """
    from terminal.desk import tables  # noqa: PLC0415 - not for --help

    response = session.api.get("/runs", {"status": status, "intent": intent, "limit": limit})
    session.tell(response, lambda data: tables.runs(session.screen, data["runs"], session.outside.now()))
    if not response.raw["runs"]:
        session.note("No runs match." if status or intent else "No runs yet.")
