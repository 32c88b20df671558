"""The page of an assignment: its documents and attempts, with each claim beside its verification."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.collect import assignment_commands, assignment_lists
from readdo.collect.requests import SkipAssignment
from readdo.collect.rows import fields_of, find_assignment
from readdo.lifecycle.assignment import SKIPPED
from readdo.store.commands import CommandContext
from readdo.web.errors import not_found
from readdo.web.path_params import unquoted
from readdo.web.request_body import validate
from screens import html_response
from screens.collect import pool
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import PageRequest

router = APIGatewayHttpRouter()
ASSIGNMENT = f"{pool.POOL}/assignments/<raw_id>"
_OF_SKIPPED = ("status", "requires_permission", "reason", "split_from", "resumes")


@router.get(ASSIGNMENT)
def get_assignment(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    name = unquoted(raw_id, "assignment")
    detail = assignment_lists.assignment_detail(visit.table, visit.owner, name, visit.words.language)
    is_skipped = detail["assignment"]["status"] == SKIPPED
    return html_response.page(
        visit,
        "assignment.html",
        **detail,
        may=[action["action"] for action in detail["available_actions"]],
        is_skipped=is_skipped,
        resumed_by=assignment_lists.resumed_by(visit.table, visit.owner, [name]).get(name) if is_skipped else None,
        section=pool.POOL,
        done=flash(visit),
    )


@router.post(f"{ASSIGNMENT}/do/<name>")
def post_do(raw_id: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name == "resume":
        return _resume(visit, unquoted(raw_id, "assignment"))
    if name not in _COMMANDS:
        raise not_found("button")
    context = CommandContext(visit.table, visit.owner, name, clock.now(), operation="collect")
    _COMMANDS[name](context, unquoted(raw_id, "assignment"), visit)
    return html_response.go_to(visit, flash_link(f"{pool.POOL}/assignments/{raw_id}", f"assignment_{name}"))


def _skip(context: CommandContext, name: str, visit: PageRequest) -> None:
    form = validate(SkipAssignment, {"reason": visit.form.get("reason", "").strip()})
    assignment_commands.skip(context, name, form.reason)


_COMMANDS: Mapping[str, Callable[[CommandContext, str, PageRequest], Any]] = {
    "skip": _skip,
    "retry": lambda context, name, _: assignment_commands.retry(context, name),
    "continue": lambda context, name, _: assignment_commands.continue_assignment(context, name),
}


def _resume(visit: PageRequest, name: str) -> Response[str]:
    """The permission is there: add the assignment again. If it lacks something, the form asks for it."""
    fields = fields_of(find_assignment(visit.table, visit.owner, name))
    again = {key: value for key, value in fields.items() if key not in _OF_SKIPPED}
    again |= {**again.pop("extra", {}), "resumes": name}
    draft = json.dumps(again, ensure_ascii=False, indent=2)
    return pool.add(visit, again, draft, key=f"resume {name}")
