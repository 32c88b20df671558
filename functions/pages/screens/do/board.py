"""The task board, with a column for each state, and the form that adds tasks."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.api.registry import to_api_error
from readdo.do import task_commands, task_lists, task_rows, views
from readdo.do.requests import NewTask
from readdo.do.rows import RunRow, TaskRow
from readdo.do.task_requests import PRIORITIES, TaskRequest
from readdo.lifecycle.task import CANCELLED, DOING, TO_DO
from readdo.store.commands import CommandContext
from readdo.web.errors import not_found
from readdo.web.request_body import validate
from screens import error_texts, html_response
from screens.do.task_buttons import COLUMNS, moves
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
TASKS = f"{HOME}/tasks"
NAVIGATION = ((20, "tasks", TASKS),)
FIRST, PAGE = 12, 30  # cards of a column on the board, and on the column's own page
INTENTS = (
    *("runQA", "fixBug", "refactor", "review", "summarize", "optimizeSelf"),
    *("read", "write", "build", "share", "decide"),
)
FIELDS = ("intent", "title", "priority", "project", "due_date", "payload", "hold")
_EMPTY = {**dict.fromkeys(FIELDS, ""), "priority": "P2"}


@router.get(TASKS)
def get_board() -> Response[str]:
    return _board(visit_of(router))


@router.post(TASKS)
def post_task() -> Response[str]:
    """Add a task. Invalid input is shown again."""
    visit = visit_of(router)
    draft = {name: visit.form.get(name, "").strip() for name in FIELDS}
    try:
        form = validate(NewTask, {**_nonempty_fields(draft), "payload": _payload(visit, draft["payload"])})
        fields = form.model_dump(exclude={"id", "depends_on"})
        task_commands.add(command_context(visit, "add"), TaskRequest(**fields))
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        return _board(visit, refused.status, draft=draft, wrong=error_texts.sentence(error, visit.words))
    return html_response.go_to(visit, flash_link(TASKS, "task_add"))


def _nonempty_fields(draft: dict[str, str]) -> dict[str, Any]:
    lines = {name: draft[name] for name in ("intent", "title", "project", "due_date") if draft[name]}
    return {**lines, "priority": draft["priority"] or "P2", "hold": draft["hold"] == "1"}


def _payload(visit: PageRequest, text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_reject_constant) if text else {}
    except (ValueError, RecursionError) as error:
        raise error_texts.LocalizedError(400, "VALIDATION_ERROR", visit.words("task.payload.wrong")) from error


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


@router.get(f"{TASKS}/list/<state>")
def get_column(state: str) -> Response[str]:
    visit = visit_of(router)
    if state not in (*COLUMNS, CANCELLED):
        raise not_found("list")
    column = _column(visit, PAGE, visit.query.get("cursor") or None, state)
    return html_response.page(visit, "column.html", column=column, today=clock.now()[:10], done=flash(visit))


def _board(visit: PageRequest, status: int = 200, **overrides: Any) -> Response[str]:
    with ThreadPoolExecutor(len(COLUMNS)) as threads:
        columns = list(threads.map(partial(_column, visit, FIRST, None), COLUMNS))
    state = visit.query.get("state", "")
    values: dict[str, Any] = {
        "columns": columns,
        "state": state if state in COLUMNS else TO_DO,
        "moving": any(column["state"] == DOING and column["tasks"] for column in columns),
        "today": clock.now()[:10],
        "intents": INTENTS,
        "priorities": PRIORITIES,
        "draft": _EMPTY,
        "wrong": "",
        "done": flash(visit),
    }
    return html_response.page(visit, "board.html", status, **{**values, **overrides})


def _column(visit: PageRequest, limit: int, cursor: str | None, state: str) -> dict[str, Any]:
    """A page of a column. The query reads only this column's part of the index."""
    query = task_lists.TaskQuery(visit.owner, clock.now(), limit, cursor, {"status": [state]})
    rows, next_cursor = task_lists.tasks_page(visit.table, query)
    return {"state": state, "tasks": cards(visit, rows), "further": next_cursor, "first_page": not cursor}


def cards(visit: PageRequest, rows: Sequence[TaskRow]) -> list[dict[str, Any]]:
    working = [task_rows.run_key(visit.owner, row["run_id"]) for row in rows if row["status"] == DOING]
    runs = {run["id"]: cast("RunRow", run) for run in visit.table.get_all(working)} if working else {}
    return [{**views.task(row), "moves": moves(row, runs.get(row.get("run_id", "")))} for row in rows]


def command_context(visit: PageRequest, name: str) -> CommandContext:
    return CommandContext(visit.table, visit.owner, name, clock.now())
