"""What ran, and how the Do desk does: its figures against their limits, and its last week hour by hour."""

from collections.abc import Sequence
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import health, task_lists
from readdo.lifecycle.advance import living
from readdo.lifecycle.run import RUN
from readdo.store import keys
from screens import html_response
from screens.charts import days, plots
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest
from screens.task import RUNS

router = APIGatewayHttpRouter()
HEALTH = f"{HOME}/health"
PAGE = 30


@router.get(RUNS)
def get_runs() -> Response[str]:
    visit = visit_of(router)
    state = visit.query.get("status", "")
    only = {"status": [state]} if state in RUN.states else None
    ask = task_lists.TaskQuery(visit.owner, clock.now(), PAGE, visit.query.get("cursor") or None, only)
    runs, further = task_lists.runs_page(visit.table, ask)
    return html_response.page(
        visit,
        "runs.html",
        runs=_named(visit, runs),
        further=further,
        first_page=not ask.cursor,
        state=state if only else "",
        states=RUN.states,
    )


def _named(visit: PageRequest, runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """With the title of its task or item, where that is still there."""
    tasks = {run["task_id"] for run in runs if "task_id" in run}
    items = {run["item_id"] for run in runs if "item_id" in run}
    wanted = [*(keys.task(visit.owner, one) for one in tasks), *(keys.item(visit.owner, one) for one in items)]
    found = {row["id"]: row for row in visit.table.get_all(wanted) if living(row)} if wanted else {}
    return [{**run, "of": found.get(run.get("task_id") or run.get("item_id", ""))} for run in runs]


@router.get(HEALTH)
def get_health() -> Response[str]:
    visit = visit_of(router)
    now = clock.now()
    week = health.week(visit.table, visit.owner, now)
    told = health.health(visit.table, visit.owner, now)
    return html_response.page(visit, "health.html", desk=told, plots=plots(week), days=days(week))
