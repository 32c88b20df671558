"""The page of proof jobs: a new text, and the list of jobs."""

import re
from typing import Any, cast

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.api.registry import to_api_error
from readdo.engine.settings import configured_model
from readdo.lifecycle.proof_job import JOB
from readdo.proof import job_commands, job_lists
from readdo.proof.job_files import UPLOAD_TYPE, input_of
from readdo.proof.job_rows import OptionFields
from readdo.proof.option_values import OFF_BY_DEFAULT, RULES
from readdo.proof.requests import JobOptions, NewJob
from readdo.store.commands import CommandContext
from readdo.web.path_params import is_item_id
from readdo.web.request_body import validate
from screens import html_response
from screens.account import file_upload
from screens.flash import flash
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
JOBS = f"{HOME}/proof"
NAVIGATION = ((30, "proof", JOBS),)
LISTED = 20
_TEXT_OPTIONS = ("engine", "encoding", "model", "paragraphs", "max_cost")
_DRAFT = {**dict.fromkeys(_TEXT_OPTIONS, ""), "chunk_chars": "2000"}


def command_context(visit: PageRequest, name: str) -> CommandContext:
    return CommandContext(visit.table, visit.owner, name, clock.now(), operation="jobs")


@router.get(JOBS)
def get_jobs() -> Response[str]:
    return _page(visit_of(router))


@router.post(JOBS)
def post_job() -> Response[str]:
    """Create a job with the uploaded text and validate it, or create one whose text a script uploads."""
    visit = visit_of(router)
    draft = dict(_DRAFT)
    try:
        draft = {name: visit.form.get(name, value).strip() for name, value in _DRAFT.items()}
        job_id = _from_upload(visit, draft) if visit.brings_files else _from_announcement(visit, draft)
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=file_upload.error_text(visit, "proof", error, refused), draft=draft)
    return html_response.go_to(visit, f"{JOBS}/{job_id}")


def _from_upload(visit: PageRequest, draft: dict[str, str]) -> str:
    file = file_upload.uploaded_file(visit, "proof")
    job_id = _create(visit, draft, file.name, len(file.body))
    files.put_once(input_of(visit.owner, job_id), file.body, UPLOAD_TYPE)
    job_commands.validate(command_context(visit, "validate"), job_id, "")
    return job_id


def _from_announcement(visit: PageRequest, draft: dict[str, str]) -> str:
    size = file_upload.announced_size(visit, "proof", job_commands.FILE_MAX)
    return _create(visit, draft, visit.form.get("filename", ""), size)


def _create(visit: PageRequest, draft: dict[str, str], name: str, size: int) -> str:
    """Create a job. The file name loses its folders, and a long one keeps its end."""
    filename = re.split(r"[/\\]", name)[-1][-200:].strip() or "text.txt"
    chars = draft["chunk_chars"]
    fields = {option: draft[option] for option in _TEXT_OPTIONS}
    chosen = visit.form_lists.get("rules", [])
    options = {**fields, "chunk_chars": int(chars) if chars.isdecimal() and len(chars) < 6 else 0}
    form = validate(NewJob, {"filename": filename, "size": size})
    checked = validate(JobOptions, {**options, "rules": {rule: rule in chosen for rule in RULES}})
    stored = cast("OptionFields", job_lists.options_of(checked))
    return job_commands.create_job(command_context(visit, "create"), form.filename, form.size, stored)


def _page(visit: PageRequest, status: int = 200, **overrides: Any) -> Response[str]:
    cursor = visit.query.get("cursor", "")
    jobs, further = job_lists.list_jobs(
        visit.table, visit.owner, list(JOB.states), cursor if is_item_id(cursor) else "", LISTED
    )
    values = {
        "jobs": jobs,
        "further": further,
        "model": configured_model(),
        "rules": RULES,
        "off": OFF_BY_DEFAULT,
        "sent_max": file_upload.SENT_MAX,
        "moving": any(job["state"] in ("running", "queued") for job in jobs if job["phase"] != "validate"),
        "wrong": "",
        "draft": _DRAFT,
        "done": flash(visit),
    }
    return html_response.page(visit, "jobs.html", status, **{**values, **overrides})
