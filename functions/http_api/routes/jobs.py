"""Routes for proof jobs: create, validate, process, merge, read, reset."""

from collections.abc import Callable
from typing import Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.lifecycle.proof_job import JOB, PHASES, STATES
from readdo.proof import job_commands, job_lists, reset, views
from readdo.proof.chunk_states import FILTERS
from readdo.proof.job_rows import JobRow, OptionFields, find_job
from readdo.proof.requests import MergeJob, NewJob, PauseJob, ResetJob, StartJob, ValidateJob
from readdo.store.commands import CommandContext
from readdo.web.errors import ApiError, invalid, not_found
from readdo.web.path_params import is_item_id, job_id
from readdo.web.request_body import Body, Empty
from routes.request_context import RequestContext, empty, limit_of, one_of, reply

router = APIGatewayHttpRouter()
CHUNKS_MAX, CHUNKS_DEFAULT = 500, 100
JobCommand = Callable[[CommandContext, Any], JobRow]


@router.post("/jobs")
def post_job() -> Response[str]:
    context = RequestContext(router)
    body = context.body(NewJob)
    if body.size > job_commands.FILE_MAX:
        raise ApiError(413, "TOO_LARGE", "The text is larger than 200 MB. Split it into several files.")
    options = cast("OptionFields", job_lists.options_of(body.options))
    command = context.command_context("create", body, operation="jobs")
    return _reply_new(context, job_commands.create_job(command, body.filename, body.size, options))


@router.get("/jobs")
def get_jobs() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    states = [one_of("state", value, (*STATES, "cancelled")) for value in context.queries("state")]
    phases = [one_of("phase", value, PHASES) for value in context.queries("phase")]
    chosen = [
        status
        for status in JOB.states
        if (not states or views.state_of(status) in states) and (not phases or views.phase_of(status) in phases)
    ]
    cursor = context.query("cursor") or ""
    if cursor and not is_item_id(cursor):
        raise invalid("cursor is not from this list.", {"cursor": "is not from this list"})
    if not chosen:
        return reply(200, {"jobs": [], "next_cursor": None})
    limit = limit_of(context.query("limit"))
    jobs, after = job_lists.list_jobs(context.table, context.owner, chosen, cursor, limit)
    return reply(200, {"jobs": jobs, "next_cursor": after})


@router.get("/jobs/<raw_id>")
def get_job(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    job = find_job(context.table, context.owner, job_id(raw_id))
    return reply(200, job_lists.job_detail(context.table, job))


@router.post("/jobs/<raw_id>/validate")
def post_validate(raw_id: str) -> Response[str]:
    return _run(raw_id, "validate", ValidateJob, lambda c, body: job_commands.validate(c, raw_id, body.encoding))


@router.post("/jobs/<raw_id>/start")
def post_start(raw_id: str) -> Response[str]:
    return _run(raw_id, "start", StartJob, lambda c, body: job_commands.start(c, raw_id, body.model))


@router.post("/jobs/<raw_id>/resume")
def post_resume(raw_id: str) -> Response[str]:
    return _run(raw_id, "resume", StartJob, lambda c, body: job_commands.start(c, raw_id, body.model))


@router.post("/jobs/<raw_id>/pause")
def post_pause(raw_id: str) -> Response[str]:
    return _run(raw_id, "pause", PauseJob, lambda c, body: job_commands.pause(c, raw_id, drain=body.drain), 200)


@router.post("/jobs/<raw_id>/retry-failed")
def post_retry_failed(raw_id: str) -> Response[str]:
    return _run(raw_id, "retry", StartJob, lambda c, body: job_commands.retry_failed(c, raw_id, body.model))


@router.post("/jobs/<raw_id>/merge")
def post_merge(raw_id: str) -> Response[str]:
    return _run(raw_id, "merge", MergeJob, lambda c, body: job_commands.merge(c, raw_id, as_input=body.as_input))


@router.post("/jobs/<raw_id>/reset")
def post_reset(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    body = context.body(ResetJob)
    command = context.command_context("reset", body, operation="jobs", job=job_id(raw_id))
    if command.remembered() is None:
        reset.reset(command, raw_id, confirm=body.confirm)
    return empty()


@router.post("/jobs/<raw_id>/rerun")
def post_rerun(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    command = context.command_context("rerun", context.body(Empty), operation="jobs", job=job_id(raw_id))
    return _reply_new(context, job_commands.rerun(command, raw_id))


@router.get("/jobs/<raw_id>/chunks")
def get_chunks(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    states = context.query("state") or ""
    if states:
        one_of("state", states, tuple(FILTERS))
    limit = limit_of(context.query("limit"), CHUNKS_MAX, CHUNKS_DEFAULT)
    cursor = context.query("cursor") or ""
    chunks, after = job_lists.chunks_page(context.table, context.owner, job_id(raw_id), states, cursor, limit)
    return reply(200, {"chunks": chunks, "next_cursor": after})


@router.get("/jobs/<raw_id>/chunks/<number>")
def get_chunk(raw_id: str, number: str) -> Response[str]:
    context = RequestContext(router)
    if not (number.isascii() and number.isdigit() and len(number) <= 7):
        raise not_found("chunk")
    chunk = job_lists.chunk_detail(context.table, context.owner, job_id(raw_id), int(number))
    return reply(200, {"chunk": chunk})


@router.get("/jobs/<raw_id>/output")
def get_output(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    return reply(302, {}, Location=job_lists.output_link(context.table, context.owner, job_id(raw_id)))


@router.get("/jobs/<raw_id>/report")
def get_report(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    return reply(200, {"report": job_lists.report(context.table, context.owner, job_id(raw_id))})


def _run(raw_id: str, name: str, model: type[Body], act: JobCommand, status: int = 202) -> Response[str]:
    context = RequestContext(router)
    body = context.body(model)
    job = act(context.command_context(name, body, operation="jobs", job=job_id(raw_id)), body)
    return reply(status, job_lists.job_detail(context.table, job))


def _reply_new(context: RequestContext, new_id: str) -> Response[str]:
    job = find_job(context.table, context.owner, new_id)
    return reply(201, job_lists.job_detail(context.table, job), Location=f"/jobs/{new_id}")
