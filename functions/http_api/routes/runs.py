"""Runs: what a worker says of its own, its evidence, and the list of all that ran."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import actions, evidence, run_updates, task_lists
from readdo.do.evidence import EvidenceRequest
from readdo.do.task_requests import Outcome
from readdo.lifecycle.run import RUN
from readdo.store import keys
from readdo.web.do_requests import Complete, NewEvidence
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from readdo.web.requests import Empty
from routes.filters import limit_of, one_of
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.get("/runs")
def get_runs() -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    only = {
        "status": [one_of("status", value, RUN.states) for value in asked.queries("status")],
        "intent": asked.queries("intent"),
    }
    ask = task_lists.TaskQuery(asked.owner, clock.now(), limit_of(asked.query("limit")), asked.query("cursor"), only)
    runs, cursor = task_lists.runs_page(asked.table, ask)
    return reply(200, {"runs": runs, "next_cursor": cursor})


@router.get("/runs/<given>")
def get_run(given: str) -> Response[str]:
    asked = RequestContext(router)
    row = _row(asked, given)
    shown = task_lists.shown(asked.table, [row], clock.now())
    if not shown:
        raise not_found("run")
    proof = evidence.list_evidence(asked.table, row) if "task_id" in row else []
    may = actions.of_run(row) if "task_id" in row else []
    return reply(200, {"run": shown[0], "evidence": proof, "available_actions": may})


@router.post("/runs/<given>/start")
def post_start(given: str) -> Response[str]:
    asked = RequestContext(router)
    return reply(200, run_updates.start(asked.of_do("start", asked.body(Empty), run=_run_id(given)), given))


@router.post("/runs/<given>/heartbeat")
def post_heartbeat(given: str) -> Response[str]:
    asked = RequestContext(router)
    return reply(200, run_updates.heartbeat(asked.of_do("heartbeat", asked.body(Empty), run=_run_id(given)), given))


@router.post("/runs/<given>/complete")
def post_complete(given: str) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Complete)
    said = body.model_dump()
    outcome = Outcome(**{**said, "error_kind": body.error_kind or ""})
    answer = run_updates.complete(asked.of_do("complete", body, run=_run_id(given)), given, outcome)
    return reply(200, answer)


@router.post("/runs/<given>/evidence")
def post_evidence(given: str) -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(NewEvidence)
    wish = EvidenceRequest(**body.model_dump())
    return reply(201, evidence.attach(asked.of_do("evidence", body, run=_run_id(given)), given, wish))


@router.get("/runs/<given>/evidence/<number>")
def get_evidence(given: str, number: str) -> Response[str]:
    asked = RequestContext(router)
    row = _row(asked, given)
    if not task_lists.shown(asked.table, [row], clock.now()):
        raise not_found("run")
    known = number.isascii() and number.isdigit() and len(number) <= 3
    place = evidence.link(asked.table, row, int(number)) if known else None
    if place is None:
        raise not_found("evidence")
    return reply(302, {}, Location=place)


def _run_id(given: str) -> str:
    return item_id(given, "run")  # ids are of one form


def _row(asked: RequestContext, given: str) -> dict[str, Any]:
    """A pipeline's too, which nobody but its item moves."""
    row = asked.table.get(keys.run(asked.owner, _run_id(given)))
    if row is None:
        raise not_found("run")
    return row
