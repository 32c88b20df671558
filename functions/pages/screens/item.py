"""One item: why it was saved, what was made of it, what can be done with it, and all that happened to it."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.do import item_tasks, todo_acceptance
from readdo.do import views as views_of_do
from readdo.lifecycle.advance import living
from readdo.lifecycle.export import RUNNING
from readdo.lifecycle.item import SET
from readdo.read import exports, views
from readdo.store import artifacts, history, keys
from readdo.store.exports import exports_of
from readdo.web.errors import not_found
from readdo.web.path_params import export_key, item_id
from screens import html_response
from screens.flash import flash
from screens.item_buttons import buttons
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest

router = APIGatewayHttpRouter()
EDITS = ("words", "paste", "summary", "todos", "card")


@router.get(ITEM)
def get_item(given: str) -> Response[str]:
    visit = visit_of(router)
    editing = visit.query.get("edit", "")
    return item_page(visit, given, editing=editing if editing in EDITS else "")


def item_page(
    visit: PageRequest,
    given: str,
    *,
    status: int = 200,
    editing: str = "",
    draft: Mapping[str, Any] | None = None,
    wrong: Mapping[str, Any] | None = None,
) -> Response[str]:
    """`draft` is what somebody wrote and could not be kept, `wrong` why: both are shown, so that nothing is lost."""
    row = find(visit, given)
    made = artifacts.shown(visit.table, row)
    sets = exports_of(visit.table, visit.owner, given) if row["versions"]["export"] else []
    moves = row["status"] in ("QUEUED", "PROCESSING") or any(one["status"] == RUNNING for one in sets)
    return html_response.page(
        visit,
        "item.html",
        status,
        item=views.item(row),
        made=made,
        sets=[views.export(one) for one in reversed(sets)],
        history=list(reversed(views.history(history.whole(visit.table, row)))),
        work=_work(visit, row, made),
        counts={kind: row["versions"][kind] for kind in SET},
        moving=moves and not editing,
        editing=editing,
        draft=draft or {},
        wrong=wrong or {},
        done=flash(visit),
        **buttons(row),
    )


def _work(visit: PageRequest, row: dict[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """How far its tasks are; beside each todo that is shown the task that it has become."""
    tasks = item_tasks.tasks_of(visit.table, row, clock.now())
    by_id = {task["id"]: views_of_do.task(task) for task in tasks}
    todos = made.get("todos")
    count = len(todos["payload"]["todos"]) if todos else 0
    ids = (
        [todo_acceptance.id_of(visit.owner, row["id"], todos["version"], n) for n in range(1, count + 1)]
        if todos
        else []
    )
    others = [task for name, task in by_id.items() if name not in ids]
    return {**item_tasks.summarize(tasks), "of_todos": [by_id.get(name) for name in ids], "others": others}


@router.get(f"{HOME}/files/<given>/<key>/<name>")
def get_file(given: str, key: str, name: str) -> Response[str]:
    visit = visit_of(router)
    find(visit, given)
    row = exports.find(visit.table, visit.owner, given, export_key(key))
    place = next((file["at"] for file in row["files"].values() if file["name"] == name), None) if row else None
    if place is None:
        raise not_found("file")
    return Response(302, html_response.HTML, "", headers={**html_response.headers(), "Location": files.link(place)})


def find(visit: PageRequest, given: str) -> dict[str, Any]:
    row = living(visit.table.get(keys.item(visit.owner, item_id(given))))
    if row is None:
        raise not_found()
    return row
