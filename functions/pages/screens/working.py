"""Buttons of a task: each is a form that asks for one move of the tables. A todo that is accepted becomes one."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from pydantic import Field

from readdo.do import asking, working
from readdo.do.accepting import accept
from readdo.do.commands import task_of
from readdo.do.wish import ClaimWish, Outcome
from readdo.lifecycle.advance import Refused
from readdo.web.do_requests import AcceptTodo, Block
from readdo.web.errors import not_found
from readdo.web.given import is_item_id, item_id, task_id
from readdo.web.parsing import judged
from readdo.web.requests import Body, Line
from screens import shown
from screens.board import TASKS, asked_by
from screens.door import visit_of
from screens.flash import told
from screens.moves import PAGE, PATIENCE
from screens.visit import HOME, ITEM, Visit

router = APIGatewayHttpRouter()


class Report(Body):
    how: Annotated[str, Field(min_length=1, max_length=500), Line]


@router.post(f"{TASKS}/<given>/do/<name>")
def post_do(given: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in DEEDS:
        raise not_found("button")
    DEEDS[name](visit, task_id(given))
    return shown.go_to(visit, told(visit.way_back(f"{TASKS}/{given}"), f"task_{name}"))


@router.post(f"{ITEM}/todos/<number>/accept")
def post_accept(given: str, number: str) -> Response[str]:
    """Of the todos that were seen. Twice is once."""
    visit = visit_of(router)
    if not (number.isascii() and number.isdigit() and len(number) <= 2):
        raise not_found("todo")
    seen = visit.form.get("version", "")
    version = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < 10 else 0
    asked = judged(AcceptTodo, {"version": version})
    accept(asked_by(visit, "accept"), item_id(given), int(number), asked.version, "")
    return shown.go_to(visit, told(f"{HOME}/items/{given}", "accept", given))


def _claim(visit: Visit, task: str) -> None:
    found = asking.claim(asked_by(visit, "claim"), ClaimWish(PAGE, task=task, patience=PATIENCE))
    if found is not None:
        working.start(asked_by(visit, "start"), found["run"]["id"])


def _start(visit: Visit, task: str) -> None:
    working.start(asked_by(visit, "start"), _run_of(visit, task))


def _complete(visit: Visit, task: str) -> None:
    _end(visit, task, Outcome(0))


def _report(visit: Visit, task: str) -> None:
    """How it ended, in the words of who did it."""
    said = judged(Report, {"how": visit.form.get("how", "").strip()}).how
    failed = visit.form.get("failed") == "1"
    _end(visit, task, Outcome(1, error_message=said) if failed else Outcome(0, summary=said))


def _end(visit: Visit, task: str, outcome: Outcome) -> None:
    """Taken in the terminal, it may not have been begun: whoever has done it began it."""
    run = _run_of(visit, task)
    with suppress(Refused):  # one that has ended says so below, of what was wished
        working.start(asked_by(visit, "start"), run)
    working.complete(asked_by(visit, "complete"), run, outcome)


def _run_of(visit: Visit, task: str) -> str:
    """The one that was seen beside the button: another that came since is another's."""
    seen = visit.form.get("run", "")
    return seen if is_item_id(seen) else str(task_of(asked_by(visit, "look"), task).get("run_id", ""))


def _block(visit: Visit, task: str) -> None:
    asked = judged(Block, {"reason": visit.form.get("reason", "").strip()})
    asking.block(asked_by(visit, "block"), task, asked.reason)


def _requeue(visit: Visit, task: str) -> None:
    asking.requeue(asked_by(visit, "requeue"), task, regardless=visit.form.get("regardless") == "1")


DEEDS: Mapping[str, Callable[[Visit, str], Any]] = {
    "enqueue": lambda visit, task: asking.enqueue(asked_by(visit, "enqueue"), task),
    "claim": _claim,
    "start": _start,
    "complete": _complete,
    "report": _report,
    "block": _block,
    "requeue": _requeue,
    "cancel": lambda visit, task: asking.cancel(asked_by(visit, "cancel"), task),
}
