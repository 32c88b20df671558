"""Routes for assignments of the Collect desk."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.collect import assignment_commands, assignment_lists, assignment_requests, views
from readdo.collect.assignment_validation import TYPES
from readdo.collect.requests import ExpandSchedule, SkipAssignment
from readdo.collect.rows import AssignmentRow
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.store.commands import CommandContext
from readdo.web.path_params import unquoted
from readdo.web.request_body import Body, Empty, parse_value
from routes.request_context import RequestContext, limit_of, one_of, reply

router = APIGatewayHttpRouter()
_PRIORITIES = ("1", "2", "3", "4", "5")


@router.post("/assignments")
def post_assignments() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    value = parse_value(context.text)
    answer, is_new = assignment_requests.add_assignments(
        context.table, context.owner, value, clock.now(), context.key(), split=context.says_yes("split")
    )
    location = {"Location": f"/assignments/{quote(answer['assignments'][0]['id'])}"} if answer["assignments"] else {}
    return reply(201 if is_new else 200, answer, **location)


@router.post("/assignments/validate")
def post_validate() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    value = parse_value(context.text)
    answer = assignment_requests.validate_assignments(
        context.table, context.owner, value, split=context.says_yes("split")
    )
    return reply(200, answer)


@router.post("/assignments/expand")
def post_expand() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    return reply(200, assignment_requests.expand_schedule(context.body(ExpandSchedule).schedule_url))


@router.get("/assignments")
def get_assignments() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    filters = {
        "status": [one_of("status", value, ASSIGNMENT.states) for value in context.queries("status")],
        "type": [one_of("type", value, TYPES) for value in context.queries("type")],
        "priority": [one_of("priority", value, _PRIORITIES) for value in context.queries("priority")],
        "batch": context.queries("batch"),
    }
    limit = limit_of(context.query("limit"))
    rows, after = assignment_lists.list_assignments(
        context.table, context.owner, filters, context.free_text("cursor"), limit
    )
    return reply(200, {"assignments": [views.assignment(row) for row in rows], "next_cursor": after})


@router.get("/assignments/<raw_id>")
def get_assignment(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    name = unquoted(raw_id, "assignment")
    return reply(200, assignment_lists.assignment_detail(context.table, context.owner, name))


@router.post("/assignments/<raw_id>/skip")
def post_skip(raw_id: str) -> Response[str]:
    return _run(raw_id, "skip", SkipAssignment, lambda c, name, body: assignment_commands.skip(c, name, body.reason))


@router.post("/assignments/<raw_id>/retry")
def post_retry(raw_id: str) -> Response[str]:
    return _run(raw_id, "retry", Empty, lambda c, name, _: assignment_commands.retry(c, name))


@router.post("/assignments/<raw_id>/continue")
def post_continue(raw_id: str) -> Response[str]:
    return _run(raw_id, "continue", Empty, lambda c, name, _: assignment_commands.continue_assignment(c, name))


def _run(
    raw_id: str, verb: str, model: type[Body], act: Callable[[CommandContext, str, Any], AssignmentRow]
) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    body = context.body(model)
    name = unquoted(raw_id, "assignment")
    command = context.command_context(verb, body, operation="collect", assignment=name)
    row = act(command, name, body)
    return reply(200, {"assignment": views.assignment(row), "available_actions": views.available(row)})
