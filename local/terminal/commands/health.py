"""How the Do desk does."""

import click

from terminal.command import verb
from terminal.failures import FAILED
from terminal.session import Session, put_json


@verb("health")
@click.option("--recount", is_flag=True, help="Count the tasks anew, and mend the counters if they had drifted.")
@click.pass_obj
def command(session: Session, recount: bool) -> int:
    """How the Do desk does: each figure beside its limits, and the last week.

    The success rate, what waits and what is blocked decide; the rest only warns. Ends with 1 if the desk is unhealthy.
    """
    if recount:
        answer = session.api.post("/health/recount")
        session.tell(answer, lambda data: _recounted(session, data["counted"], data["drift"]))
        return 0
    from terminal.desk import health  # noqa: PLC0415 - not for --help

    found, hours = session.api.get("/health"), session.api.get("/metrics")
    if session.json:
        put_json({**found.raw, **hours.raw})
    else:
        health.show(session.screen, found.data, hours.data["hours"], session.outside.now())
    return FAILED if found.data["health"] == health.UNHEALTHY else 0


def _recounted(session: Session, counted: dict[str, int], drift: dict[str, int]) -> None:
    session.screen.line("Counted: " + ", ".join(f"{number} {state}" for state, number in counted.items()))
    wrong = ", ".join(f"{state} by {by:+d}" for state, by in drift.items())
    session.screen.line(f"The counters had drifted: {wrong}. They are mended." if wrong else "The counters were right.")
