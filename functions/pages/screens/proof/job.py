"""The pages of a proof job and of its chunks."""

from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.proof import job_commands, job_lists, reset
from readdo.proof.chunk_states import FILTERS
from readdo.proof.job_rows import find_job
from readdo.proof.requests import StartJob, ValidateJob
from readdo.web.errors import not_found
from readdo.web.path_params import job_id
from readdo.web.request_body import validate
from screens import html_response
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import PageRequest
from screens.proof.jobs import JOBS, command_context

router = APIGatewayHttpRouter()
JOB = f"{JOBS}/<raw_id>"
GRID, ROWS = 500, 50
# state → phase → the main button
_MAIN = {
    ("queued", "validate"): "validate",
    ("error", "validate"): "validate",
    ("paused", "process"): "start",
    ("running", "process"): "pause",
    ("queued", "process"): "pause",
    ("error", "process"): "retry-failed",
    ("paused", "merge"): "merge",
    ("error", "merge"): "merge",
    ("done", "done"): "output",
}


@router.get(JOB)
def get_job(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    row = find_job(visit.table, visit.owner, job_id(raw_id))
    detail = job_lists.job_detail(visit.table, row)
    job = detail["job"]
    only = visit.query.get("state", "")
    only = only if only in FILTERS else ""
    cursor = visit.query.get("cursor", "")
    cursor = cursor if cursor.isascii() and cursor.isdigit() and len(cursor) < 9 else ""
    chunks, further = job_lists.chunks_page(visit.table, visit.owner, row["id"], only, cursor, ROWS if only else GRID)
    is_working = job["state"] in ("running", "queued") and (job["state"], job["phase"]) != ("queued", "validate")
    return html_response.page(
        visit,
        "job.html",
        job=job,
        may=[action["action"] for action in detail["available_actions"]],
        main=_MAIN.get((job["state"], job["phase"]), ""),
        upload=detail.get("upload"),
        chunks=chunks,
        filters=tuple(FILTERS),
        only=only,
        further=further,
        first_page=not cursor,
        moving=is_working or job.get("draining", False),
        section=JOBS,
        done=flash(visit),
    )


@router.get(f"{JOB}/chunks/<number>")
def get_chunk(raw_id: str, number: str) -> Response[str]:
    visit = visit_of(router)
    if not (number.isascii() and number.isdigit() and len(number) <= 7):
        raise not_found("chunk")
    job = find_job(visit.table, visit.owner, job_id(raw_id))
    chunk = job_lists.chunk_detail(visit.table, visit.owner, job["id"], int(number))
    total = job.get("total_chunks", 0)
    return html_response.page(visit, "chunk.html", job=job, chunk=chunk, total=total, section=JOBS)


@router.get(f"{JOB}/output")
def get_output(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    link = job_lists.output_link(visit.table, visit.owner, job_id(raw_id))
    return Response(302, html_response.HTML, "", headers={"Location": link, **html_response.headers()})


@router.get(f"{JOB}/report")
def get_report(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    job = find_job(visit.table, visit.owner, job_id(raw_id))
    report = job_lists.report(visit.table, visit.owner, job["id"])
    return html_response.page(visit, "report.html", job=job, report=report, section=JOBS)


@router.post(f"{JOB}/do/<name>")
def post_do(raw_id: str, name: str) -> Response[str]:
    visit = visit_of(router)
    if name not in _COMMANDS:
        raise not_found("button")
    _COMMANDS[name](visit, job_id(raw_id))
    if name == "reset":
        return html_response.go_to(visit, flash_link(JOBS, "job_reset"))
    return html_response.go_to(visit, flash_link(f"{JOBS}/{raw_id}", f"job_{name}"))


def _validate(visit: PageRequest, job: str) -> None:
    form = validate(ValidateJob, {"encoding": visit.form.get("encoding", "").strip()})
    job_commands.validate(command_context(visit, "validate"), job, form.encoding)


def _start(visit: PageRequest, job: str) -> None:
    job_commands.start(command_context(visit, "start"), job, _model(visit))


def _retry(visit: PageRequest, job: str) -> None:
    job_commands.retry_failed(command_context(visit, "retry"), job, _model(visit))


def _pause(visit: PageRequest, job: str) -> None:
    job_commands.pause(command_context(visit, "pause"), job, drain=visit.form.get("drain") == "1")


def _merge(visit: PageRequest, job: str) -> None:
    job_commands.merge(command_context(visit, "merge"), job, as_input=visit.form.get("as_input") == "1")


def _reset(visit: PageRequest, job: str) -> None:
    """The form itself asks for a confirmation."""
    reset.reset(command_context(visit, "reset"), job, confirm=True)


def _model(visit: PageRequest) -> str:
    return validate(StartJob, {"model": visit.form.get("model", "").strip()}).model


_COMMANDS: Mapping[str, Callable[[PageRequest, str], Any]] = {
    "validate": _validate,
    "start": _start,
    "retry-failed": _retry,
    "pause": _pause,
    "merge": _merge,
    "reset": _reset,
}
