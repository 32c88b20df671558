"""Buttons of a task: each is a form that asks for one move of the tables. A todo that is accepted becomes one."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from pydantic import Field

from readdo.do import run_updates, task_commands
from readdo.do.task_requests import ClaimRequest, Outcome
from readdo.do.todo_acceptance import accept
from readdo.do.transactions import task_of
from readdo.lifecycle.advance import Refused
from readdo.web.body_validation import validate
from readdo.web.do_requests import AcceptTodo, Block
from readdo.web.errors import not_found
from readdo.web.path_params import is_item_id, item_id, task_id
from readdo.web.requests import Body, Line
from screens import html_response
from screens.board import TASKS, asked_by
from screens.flash import flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest
from screens.task_buttons import PAGE, PATIENCE

router = APIGatewayHttpRouter()


class Report(Body):
    how: Annotated[str, Field(min_length=1, max_length=500), Line]


@router.post(f"{TASKS}/<given>/do/<name>")
def post_do(given: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in DEEDS:
        raise not_found("button")
    DEEDS[name](visit, task_id(given))
    return html_response.go_to(visit, flash_link(visit.way_back(f"{TASKS}/{given}"), f"task_{name}"))


@router.post(f"{ITEM}/todos/<number>/accept")
def post_accept(given: str, number: str) -> Response[str]:
    """Of the todos that were seen. Twice is once."""
    visit = visit_of(router)
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise not_found("todo")
    seen = visit.form.get("version", "")
    version = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else 0
    asked = validate(AcceptTodo, {"version": version})
    accept(asked_by(visit, "accept"), item_id(given), int(number), asked.version, "")
    return html_response.go_to(visit, flash_link(f"{HOME}/items/{given}", "accept", given))


def _claim(visit: PageRequest, task: str) -> None:
    found = task_commands.claim(asked_by(visit, "claim"), ClaimRequest(PAGE, task=task, patience=PATIENCE))
    if found is not None:
        run_updates.start(asked_by(visit, "start"), found["run"]["id"])


def _start(visit: PageRequest, task: str) -> None:
    run_updates.start(asked_by(visit, "start"), _run_of(visit, task))


def _complete(visit: PageRequest, task: str) -> None:
    _end(visit, task, Outcome(0))


def _report(visit: PageRequest, task: str) -> None:
    """How it ended, in the words of who did it."""
    said = validate(Report, {"how": visit.form.get("how", "").strip()}).how
    failed = visit.form.get("failed") == "1"
    _end(visit, task, Outcome(1, error_message=said) if failed else Outcome(0, summary=said))


def _end(visit: PageRequest, task: str, outcome: Outcome) -> None:
    """Taken in the terminal, it may not have been begun: whoever has done it began it."""
    run = _run_of(visit, task)
    with suppress(Refused):  # one that has ended says so below, of what was wished
        run_updates.start(asked_by(visit, "start"), run)
    run_updates.complete(asked_by(visit, "complete"), run, outcome)


def _run_of(visit: PageRequest, task: str) -> str:
    """The one that was seen beside the button: another that came since is another's."""
    seen = visit.form.get("run", "")
    return seen if is_item_id(seen) else str(task_of(asked_by(visit, "look"), task).get("run_id", ""))


def _block(visit: PageRequest, task: str) -> None:
    asked = validate(Block, {"reason": visit.form.get("reason", "").strip()})
    task_commands.block(asked_by(visit, "block"), task, asked.reason)


def _requeue(visit: PageRequest, task: str) -> None:
    task_commands.requeue(asked_by(visit, "requeue"), task, regardless=visit.form.get("regardless") == "1")


DEEDS: Mapping[str, Callable[[PageRequest, str], Any]] = {
    "enqueue": lambda visit, task: task_commands.enqueue(asked_by(visit, "enqueue"), task),
    "claim": _claim,
    "start": _start,
    "complete": _complete,
    "report": _report,
    "block": _block,
    "requeue": _requeue,
    "cancel": lambda visit, task: task_commands.cancel(asked_by(visit, "cancel"), task),
}
