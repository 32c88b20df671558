"""The pages of runs and of the Do desk's health."""

from collections.abc import Sequence
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import health, task_lists, task_rows
from readdo.integrations.notion.sync_status import sync_status
from readdo.lifecycle.advance import living
from readdo.lifecycle.run import RUN
from readdo.proof import job_keys
from readdo.read import item_keys
from screens import html_response
from screens.do.charts import chart_bars, days
from screens.do.task import RUNS
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
HEALTH = f"{HOME}/health"
PAGE = 30


@router.get(RUNS)
def get_runs() -> Response[str]:
    visit = visit_of(router)
    state = visit.query.get("status", "")
    filters = {"status": [state]} if state in RUN.states else None
    query = task_lists.TaskQuery(visit.owner, clock.now(), PAGE, visit.query.get("cursor") or None, filters)
    runs, next_cursor = task_lists.runs_page(visit.table, query)
    return html_response.page(
        visit,
        "runs.html",
        runs=_add_subjects(visit, runs),
        further=next_cursor,
        first_page=not query.cursor,
        state=state if filters else "",
        states=RUN.states,
    )


def _add_subjects(visit: PageRequest, runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the task, item or job to each run, if it still exists."""
    tasks = {run["task_id"] for run in runs if "task_id" in run}
    items = {run["item_id"] for run in runs if "item_id" in run}
    row_keys = [
        *(task_rows.task_key(visit.owner, id_) for id_ in tasks),
        *(item_keys.item(visit.owner, id_) for id_ in items),
        *(job_keys.job(visit.owner, run["job_id"]) for run in runs if "job_id" in run),
    ]
    rows = {row["id"]: row for row in visit.table.get_all(row_keys) if living(row)} if row_keys else {}
    return [{**run, "of": rows.get(run.get("task_id") or run.get("item_id") or run.get("job_id", ""))} for run in runs]


@router.get(HEALTH)
def get_health() -> Response[str]:
    visit = visit_of(router)
    now = clock.now()
    week = health.week(visit.table, visit.owner, now)
    current = {**health.health(visit.table, visit.owner, now), **sync_status(visit.table, visit.owner)}
    return html_response.page(visit, "health.html", desk=current, plots=chart_bars(week), days=days(week))
