"""What ran, how long, how it ended."""

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
    help="Only these: queued, running, succeeded, failed, timeout, cancelled; repeatable.",
)
@click.option("--intent", multiple=True, metavar="INTENT", help="Only runs for this; repeatable.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="At most so many.")
@click.pass_obj
def command(session: Session, status: tuple[str, ...], intent: tuple[str, ...], limit: int) -> None:
    """What ran, how long, how it ended: the newest first, those that read items too.

    In a pipe each run is one line, its columns parted by tabs: id, status, intent, task, item, attempt, worker,
    started, seconds, exit code, kind of error, message.
    """
    from terminal.desk import tables  # noqa: PLC0415 - not for --help

    answer = session.api.get("/runs", {"status": status, "intent": intent, "limit": limit})
    session.tell(answer, lambda data: tables.runs(session.screen, data["runs"], session.outside.now()))
    if not answer.raw["runs"]:
        session.note("Nothing has run that is like that." if status or intent else "Nothing has run yet.")
