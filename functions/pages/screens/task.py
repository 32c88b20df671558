"""One task: what is asked, what it waits for, each try with what proves it, and all that happened to it."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import evidence, retention, task_lists, views
from readdo.do.transactions import run_of, task_of
from readdo.lifecycle.advance import living
from readdo.lifecycle.run import ENDED
from readdo.lifecycle.task import DOING
from readdo.store import keys
from readdo.web.errors import not_found
from readdo.web.path_params import item_id, task_id
from screens import html_response
from screens.board import TASKS, asked_by
from screens.flash import flash
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest
from screens.task_buttons import moves

router = APIGatewayHttpRouter()
RUNS = f"{HOME}/runs"
PROVEN = 10  # tries whose evidence is looked up: the newest


@router.get(f"{TASKS}/<given>")
def get_task(given: str) -> Response[str]:
    visit = visit_of(router)
    row = task_of(asked_by(visit, "look"), task_id(given))
    rows = task_lists.rows_of(visit.table, row, clock.now())
    working = next((run for run in rows if run["id"] == row.get("run_id") and run["status"] not in ENDED), None)
    return html_response.page(
        visit,
        "task.html",
        task={**views.task(row), "moves": moves(row, working)},
        payload=json.dumps(views.whole_task(row)["payload"], ensure_ascii=False, indent=2),
        needs=_needs(visit, row),
        runs=[{**views.run(run), "proof": _proof(visit, run, n)} for n, run in enumerate(rows)],
        history=list(reversed(views.history(row["history"]))),
        moving=row["status"] == DOING,
        today=clock.now()[:10],
        done=flash(visit),
    )


def _proof(visit: PageRequest, run: dict[str, Any], place: int) -> list[dict[str, Any]]:
    return evidence.list_evidence(visit.table, run) if place < PROVEN else []


def _needs(visit: PageRequest, row: dict[str, Any]) -> list[dict[str, Any]]:
    """What it depends on; of what is not there only the id is known."""
    wanted = row.get("depends_on", [])
    found = {one["id"]: one for one in visit.table.get_all(keys.task(visit.owner, name) for name in wanted)}
    now = clock.now()
    there = {name: one for name, one in found.items() if living(one) and not retention.is_past(one, now)}
    return [views.task(there[name]) if name in there else {"id": name, "status": ""} for name in wanted]


@router.get(f"{RUNS}/<given>/evidence/<number>")
def get_evidence(given: str, number: str) -> Response[str]:
    visit = visit_of(router)
    row = run_of(asked_by(visit, "look"), item_id(given, "run"))
    known = number.isascii() and number.isdigit() and len(number) <= 3
    place = evidence.link(visit.table, row, int(number)) if known else None
    if place is None:
        raise not_found("evidence")
    return Response(302, html_response.HTML, "", headers={**html_response.headers(), "Location": place})
