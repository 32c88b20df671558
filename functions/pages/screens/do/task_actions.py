"""Buttons of a task, and the form that accepts a todo. Each form runs one command."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from pydantic import Field

from readdo.do import run_updates, task_claim, task_commands
from readdo.do.command_rows import task_of
from readdo.do.requests import AcceptTodo, Block
from readdo.do.task_requests import ClaimRequest, Outcome
from readdo.do.todo_acceptance import accept
from readdo.lifecycle.advance import Refused
from readdo.web.errors import not_found
from readdo.web.path_params import is_item_id, item_id, task_id
from readdo.web.request_body import Body, Line, validate
from screens import html_response
from screens.do.board import TASKS, command_context
from screens.do.task_buttons import PAGE, PATIENCE
from screens.flash import flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest

router = APIGatewayHttpRouter()


class Report(Body):
    how: Annotated[str, Field(min_length=1, max_length=500), Line]


@router.post(f"{TASKS}/<raw_id>/do/<name>")
def post_do(raw_id: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in ACTIONS:
        raise not_found("button")
    ACTIONS[name](visit, task_id(raw_id))
    return html_response.go_to(visit, flash_link(visit.back_link(f"{TASKS}/{raw_id}"), f"task_{name}"))


@router.post(f"{ITEM}/todos/<number>/accept")
def post_accept(raw_id: str, number: str) -> Response[str]:
    """Accept a todo of the version shown. A second click changes nothing."""
    visit = visit_of(router)
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise not_found("todo")
    version_shown = visit.form.get("version", "")
    version = (
        int(version_shown) if version_shown.isascii() and version_shown.isdigit() and len(version_shown) < 10 else 0
    )
    form = validate(AcceptTodo, {"version": version})
    accept(command_context(visit, "accept"), item_id(raw_id), int(number), form.version, "")
    return html_response.go_to(visit, flash_link(f"{HOME}/items/{raw_id}", "accept", raw_id))


def _claim(visit: PageRequest, task: str) -> None:
    claimed = task_claim.claim(command_context(visit, "claim"), ClaimRequest(PAGE, task=task, patience=PATIENCE))
    if claimed is not None:
        run_updates.start(command_context(visit, "start"), claimed["run"]["id"])


def _start(visit: PageRequest, task: str) -> None:
    run_updates.start(command_context(visit, "start"), _run_of(visit, task))


def _complete(visit: PageRequest, task: str) -> None:
    _end(visit, task, Outcome(0))


def _report(visit: PageRequest, task: str) -> None:
    """End a run with a text by the user."""
    text = validate(Report, {"how": visit.form.get("how", "").strip()}).how
    failed = visit.form.get("failed") == "1"
    _end(visit, task, Outcome(1, error_message=text) if failed else Outcome(0, summary=text))


def _end(visit: PageRequest, task: str, outcome: Outcome) -> None:
    """End a run. A run claimed in the terminal may not be started yet, so it is started first."""
    run = _run_of(visit, task)
    with suppress(Refused):  # a run that has ended is refused by `complete` below
        run_updates.start(command_context(visit, "start"), run)
    run_updates.complete(command_context(visit, "complete"), run, outcome)


def _run_of(visit: PageRequest, task: str) -> str:
    """The run that the page showed. A newer run can belong to another worker."""
    run_shown = visit.form.get("run", "")
    return run_shown if is_item_id(run_shown) else str(task_of(command_context(visit, "look"), task).get("run_id", ""))


def _block(visit: PageRequest, task: str) -> None:
    form = validate(Block, {"reason": visit.form.get("reason", "").strip()})
    task_commands.block(command_context(visit, "block"), task, form.reason)


def _requeue(visit: PageRequest, task: str) -> None:
    task_commands.requeue(command_context(visit, "requeue"), task, regardless=visit.form.get("regardless") == "1")


ACTIONS: Mapping[str, Callable[[PageRequest, str], Any]] = {
    "enqueue": lambda visit, task: task_commands.enqueue(command_context(visit, "enqueue"), task),
    "claim": _claim,
    "start": _start,
    "complete": _complete,
    "report": _report,
    "block": _block,
    "requeue": _requeue,
    "cancel": lambda visit, task: task_commands.cancel(command_context(visit, "cancel"), task),
}
