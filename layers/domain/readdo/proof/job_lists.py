"""Lists and details of proof jobs and their chunks."""

import json
from typing import Any, cast

from readdo import files
from readdo.engine.settings import configured_model
from readdo.errors import BadCursor
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.proof_chunk import DONE as CHUNK_DONE
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.write import OneOf
from readdo.proof import job_keys, views
from readdo.proof.chunk_index import read_chunk, read_places
from readdo.proof.chunk_states import chunk_view, list_chunks, state_of
from readdo.proof.job_rows import NO_PROGRESS, ChunkRow, JobRow, ProgressRow, find_job, progress_of
from readdo.proof.requests import JobOptions
from readdo.proof.text_diff import diff_segments
from readdo.store import keys
from readdo.store.table import DynamoTable
from readdo.web.errors import invalid, not_found

_PAGES_MAX = 20  # of the table, for one page of jobs with a rare state


def options_of(options: JobOptions) -> dict[str, Any]:
    """The options with all defaults, as they are stored."""
    if options.engine == "model" and not configured_model():
        words = "needs a model, and none is configured"
        raise invalid(f"options.engine {words}.", {"options.engine": words})
    stored = options.model_dump(mode="json")
    stored |= {"engine": options.engine or ("model" if configured_model() else "rules"), "rules": options.all_rules}
    return {**stored, "extra_params": json.dumps(options.extra_params, ensure_ascii=False)}


def job_detail(table: DynamoTable, job: JobRow) -> dict[str, Any]:
    return views.detail(job, progress_of(table, job["owner"], job["id"]))


def list_jobs(
    table: DynamoTable, owner: str, states: list[str], cursor: str, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    """A page of jobs, newest first. The cursor is the id of the last one."""
    start: dict[str, Any] | None = None
    if cursor:
        start = job_keys.job(owner, cursor)._asdict()
    jobs: list[JobRow] = []
    for _ in range(_PAGES_MAX):
        page = table.query(
            keys.partition(keys.owner(owner)),
            between=keys.stretch(job_keys.JOB_PREFIX),
            newest_first=True,
            start=start,
            limit=limit,
            only=OneOf("status", tuple(states)),
        )
        jobs += [cast("JobRow", row) for row in page.rows]
        start = page.next_key
        if start is None or len(jobs) >= limit:
            break
    listed = jobs[:limit]
    last = listed[-1]["id"] if len(jobs) > limit else start["sk"].removeprefix(job_keys.JOB_PREFIX) if start else None
    return [views.view(job, progress) for job, progress in _with_progress(table, listed)], last


def _with_progress(table: DynamoTable, jobs: list[JobRow]) -> list[tuple[JobRow, ProgressRow]]:
    """Jobs of a page, each with its counts. All counts come from one read."""
    rows = table.get_all(job_keys.progress(job["owner"], job["id"]) for job in jobs)
    by_partition = {row["pk"]: cast("ProgressRow", row) for row in rows}
    return [(job, by_partition.get(job_keys.partition(job["owner"], job["id"]), NO_PROGRESS)) for job in jobs]


def chunks_page(
    table: DynamoTable, owner: str, job_id: str, states: str, cursor: str, limit: int
) -> tuple[list[dict[str, Any]], str | None]:
    job = find_job(table, owner, job_id)
    if cursor and not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 9):
        raise BadCursor
    progress = progress_of(table, owner, job_id)
    chunks, after = list_chunks(table, job, progress, states, int(cursor or 0), limit)
    return chunks, None if after is None else str(after)


def chunk_detail(table: DynamoTable, owner: str, job_id: str, number: int) -> dict[str, Any]:
    """`out` is null until the chunk is done."""
    job = find_job(table, owner, job_id)
    places = read_places(job, number, 1)
    if not places:
        raise not_found("chunk")
    progress = progress_of(table, owner, job_id)
    stored = table.get(job_keys.chunk(owner, job_id, number))
    row = cast("ChunkRow", stored) if stored else None
    state = state_of(row, progress)
    before = read_chunk(job, places[0])
    after = None
    if state == CHUNK_DONE:
        after = files.get(row["out_at"]).decode() if row and "out_at" in row else before
    diff = diff_segments(before, after) if after is not None else None
    return {**chunk_view(job, number, row, state, places[0].characters), "pre": before, "out": after, "diff": diff}


def output_link(table: DynamoTable, owner: str, job_id: str) -> str:
    job = find_job(table, owner, job_id)
    if "merged" not in job:
        raise Forbidden(JOB, "output", job)
    return files.presign_download(job["merged"]["at"], job["merged"]["filename"])


def report(table: DynamoTable, owner: str, job_id: str) -> dict[str, Any]:
    job = find_job(table, owner, job_id)
    if "report_at" not in job:
        raise Forbidden(JOB, "report", job)
    content: dict[str, Any] = json.loads(files.get(job["report_at"]))
    name = f"{job['merged']['filename']}.diff.txt"
    return {**content, "diff_url": files.presign_download(job["diff_at"], name)}
