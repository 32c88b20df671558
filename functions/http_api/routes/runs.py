"""Routes for runs: updates by workers, evidence, and the list of runs."""

from typing import Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import actions, evidence, run_updates, task_lists, task_rows
from readdo.do.evidence import EvidenceRequest
from readdo.do.requests import Complete, NewEvidence
from readdo.do.rows import RunRow
from readdo.do.task_requests import Outcome
from readdo.lifecycle.run import RUN
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from readdo.web.request_body import Empty
from routes.request_context import RequestContext, limit_of, one_of, reply

router = APIGatewayHttpRouter()


@router.get("/runs")
def get_runs() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    filters = {
        "status": [one_of("status", value, RUN.states) for value in context.queries("status")],
        "intent": context.queries("intent"),
    }
    query = task_lists.TaskQuery(
        context.owner, clock.now(), limit_of(context.query("limit")), context.query("cursor"), filters
    )
    runs, cursor = task_lists.runs_page(context.table, query)
    return reply(200, {"runs": runs, "next_cursor": cursor})


@router.get("/runs/<raw_id>")
def get_run(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    row = _row(context, raw_id)
    views = task_lists.views_of(context.table, [row], clock.now())
    if not views:
        raise not_found("run")
    evidence_list = evidence.list_evidence(context.table, cast("RunRow", row)) if "task_id" in row else []
    available_actions = actions.of_run(cast("RunRow", row)) if "task_id" in row else []
    return reply(200, {"run": views[0], "evidence": evidence_list, "available_actions": available_actions})


@router.post("/runs/<raw_id>/start")
def post_start(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    return reply(
        200, run_updates.start(context.command_context("start", context.body(Empty), run=_run_id(raw_id)), raw_id)
    )


@router.post("/runs/<raw_id>/heartbeat")
def post_heartbeat(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    return reply(
        200,
        run_updates.heartbeat(context.command_context("heartbeat", context.body(Empty), run=_run_id(raw_id)), raw_id),
    )


@router.post("/runs/<raw_id>/complete")
def post_complete(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(Complete)
    fields = body.model_dump()
    outcome = Outcome(**{**fields, "error_kind": body.error_kind or ""})
    result = run_updates.complete(context.command_context("complete", body, run=_run_id(raw_id)), raw_id, outcome)
    return reply(200, result)


@router.post("/runs/<raw_id>/evidence")
def post_evidence(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(NewEvidence)
    evidence_request = EvidenceRequest(**body.model_dump())
    return reply(
        201, evidence.attach(context.command_context("evidence", body, run=_run_id(raw_id)), raw_id, evidence_request)
    )


@router.get("/runs/<raw_id>/evidence/<number>")
def get_evidence(raw_id: str, number: str) -> Response[str]:
    context = RequestContext(router)
    row = _row(context, raw_id)
    if not task_lists.views_of(context.table, [row], clock.now()):
        raise not_found("run")
    is_number = number.isascii() and number.isdigit() and len(number) <= 3
    link = evidence.link(context.table, cast("RunRow", row), int(number)) if is_number else None
    if link is None:
        raise not_found("evidence")
    return reply(302, {}, Location=link)


def _run_id(raw_id: str) -> str:
    return item_id(raw_id, "run")  # item ids and run ids have the same format


def _row(context: RequestContext, raw_id: str) -> dict[str, Any]:
    """The row of a run, also of a pipeline run, which only its item can change."""
    row = context.table.get(task_rows.run_key(context.owner, _run_id(raw_id)))
    if row is None:
        raise not_found("run")
    return row
