"""`readdo health`: show the health of the task queue."""

import click

from terminal.command import verb
from terminal.failures import FAILED
from terminal.session import Session, put_json


@verb("health")
@click.option("--recount", is_flag=True, help="Count the tasks again and correct the counters.")
@click.pass_obj
def command(session: Session, recount: bool) -> int:
    """Show the health of the task queue: each metric with its limits, and the last week.

    Success rate, waiting and blocked tasks decide the health; the others only warn. The exit code is 1 if unhealthy.
    """
    if recount:
        response = session.api.post("/health/recount")
        session.tell(response, lambda data: _show_recount(session, data["counted"], data["drift"]))
        return 0
    from terminal.desk import health  # noqa: PLC0415 - not for --help

    health_response, metrics = session.api.get("/health"), session.api.get("/metrics")
    if session.json:
        put_json({**health_response.raw, **metrics.raw})
    else:
        health.show(session.screen, health_response.data, metrics.data["hours"], session.outside.now())
    return FAILED if health_response.data["health"] == health.UNHEALTHY else 0


def _show_recount(session: Session, counted: dict[str, int], drift: dict[str, int]) -> None:
    session.screen.line("Counted: " + ", ".join(f"{number} {state}" for state, number in counted.items()))
    changes = ", ".join(f"{state} by {by:+d}" for state, by in drift.items())
    session.screen.line(f"Corrected the counters: {changes}." if changes else "The counters were correct.")
