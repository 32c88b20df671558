"""The page of one item, with its artifacts, actions and history."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.do import task_lists, todo_acceptance
from readdo.do import views as views_of_do
from readdo.lifecycle.export import RUNNING
from readdo.lifecycle.item import SET
from readdo.read import artifacts, exports, history, views
from readdo.read.exports import exports_of
from readdo.read.item_keys import item_row
from readdo.read.rows import ItemRow
from readdo.web.errors import not_found
from readdo.web.path_params import export_key, item_id
from screens import html_response
from screens.flash import flash
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest
from screens.read.item_actions import buttons

router = APIGatewayHttpRouter()
EDITS = ("words", "paste", "summary", "todos", "card")


@router.get(ITEM)
def get_item(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    editing = visit.query.get("edit", "")
    return item_page(visit, raw_id, editing=editing if editing in EDITS else "")


def item_page(
    visit: PageRequest,
    raw_id: str,
    *,
    status: int = 200,
    editing: str = "",
    draft: Mapping[str, Any] | None = None,
    wrong: Mapping[str, Any] | None = None,
) -> Response[str]:
    """Render an item. `draft` is input that could not be saved, and `wrong` the reason."""
    row = find(visit, raw_id)
    artifacts_shown = artifacts.current_artifacts(visit.table, row)
    export_rows = exports_of(visit.table, visit.owner, raw_id) if row["versions"]["export"] else []
    is_moving = row["status"] in ("QUEUED", "PROCESSING") or any(export["status"] == RUNNING for export in export_rows)
    return html_response.page(
        visit,
        "item.html",
        status,
        item=views.item(row),
        made=artifacts_shown,
        sets=[views.export(export) for export in reversed(export_rows)],
        history=list(reversed(views.history(history.full_history(visit.table, row)))),
        work=_task_overview(visit, row, artifacts_shown),
        counts={kind: row["versions"][kind] for kind in SET},
        moving=is_moving and not editing,
        editing=editing,
        draft=draft or {},
        wrong=wrong or {},
        done=flash(visit),
        **buttons(row),
    )


def _task_overview(visit: PageRequest, row: ItemRow, artifacts_shown: Mapping[str, Any]) -> dict[str, Any]:
    """The item's tasks: a summary, the task of each todo, and other tasks."""
    tasks = task_lists.tasks_of(visit.table, row, clock.now())
    by_id = {task["id"]: views_of_do.task(task) for task in tasks}
    todos = artifacts_shown.get("todos")
    count = len(todos["payload"]["todos"]) if todos else 0
    ids = (
        [todo_acceptance.id_of(visit.owner, row["id"], todos["version"], n) for n in range(1, count + 1)]
        if todos
        else []
    )
    others = [task for name, task in by_id.items() if name not in ids]
    return {**task_lists.summarize(tasks), "of_todos": [by_id.get(name) for name in ids], "others": others}


@router.get(f"{HOME}/files/<raw_id>/<key>/<name>")
def get_file(raw_id: str, key: str, name: str) -> Response[str]:
    visit = visit_of(router)
    find(visit, raw_id)
    row = exports.find(visit.table, visit.owner, raw_id, export_key(key))
    object_key = next((file["at"] for file in row["files"].values() if file["name"] == name), None) if row else None
    if object_key is None:
        raise not_found("file")
    return Response(
        302, html_response.HTML, "", headers={**html_response.headers(), "Location": files.presign_download(object_key)}
    )


def find(visit: PageRequest, raw_id: str) -> ItemRow:
    row = item_row(visit.table, visit.owner, item_id(raw_id))
    if row is None:
        raise not_found()
    return row
