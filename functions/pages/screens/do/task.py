"""The page of one task, with its dependencies, runs, evidence and history."""

import json
from typing import Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import evidence, task_lists, task_rows, views
from readdo.do.command_rows import run_of, task_of
from readdo.do.rows import RunRow, TaskRow
from readdo.lifecycle.advance import living
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import DOING
from readdo.web.errors import not_found
from readdo.web.path_params import item_id, task_id
from screens import html_response
from screens.do.board import TASKS, command_context
from screens.do.task_buttons import moves
from screens.flash import flash
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
RUNS = f"{HOME}/runs"
PROVEN = 10  # newest runs whose evidence is read


@router.get(f"{TASKS}/<raw_id>")
def get_task(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    row = task_of(command_context(visit, "look"), task_id(raw_id))
    rows = task_lists.rows_of(visit.table, row, clock.now())
    working = next((run for run in rows if run["id"] == row.get("run_id") and run["status"] not in ENDED), None)
    return html_response.page(
        visit,
        "task.html",
        task={**views.task(row), "moves": moves(row, working)},
        payload=json.dumps(views.whole_task(row)["payload"], ensure_ascii=False, indent=2),
        needs=_dependencies(visit, row),
        runs=[{**views.run(run), "proof": _evidence(visit, run, n)} for n, run in enumerate(rows)],
        history=list(reversed(views.history(row["history"]))),
        moving=row["status"] == DOING,
        today=clock.now()[:10],
        done=flash(visit),
    )


def _evidence(visit: PageRequest, run: RunRow, position: int) -> list[dict[str, Any]]:
    return evidence.list_evidence(visit.table, run) if position < PROVEN else []


def _dependencies(visit: PageRequest, row: TaskRow) -> list[dict[str, Any]]:
    """The tasks that a task depends on. A missing task has only its id."""
    ids = row.get("depends_on", [])
    rows = {
        task["id"]: cast("TaskRow", task)
        for task in visit.table.get_all(task_rows.task_key(visit.owner, id_) for id_ in ids)
    }
    now = clock.now()
    existing = {id_: task for id_, task in rows.items() if living(task) and not task_rows.is_past(task, now)}
    return [views.task(existing[id_]) if id_ in existing else {"id": id_, "status": ""} for id_ in ids]


@router.get(f"{RUNS}/<raw_id>/evidence/<number>")
def get_evidence(raw_id: str, number: str) -> Response[str]:
    visit = visit_of(router)
    row = run_of(command_context(visit, "look"), item_id(raw_id, "run"))
    is_number = number.isascii() and number.isdigit() and len(number) <= 3
    link = evidence.link(visit.table, row, int(number)) if is_number else None
    if link is None:
        raise not_found("evidence")
    return Response(302, html_response.HTML, "", headers={**html_response.headers(), "Location": link})
