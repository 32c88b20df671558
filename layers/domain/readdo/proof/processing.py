"""Process a job: begin a slice with its own epoch, then work on chunks."""

import json
import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any, cast

from readdo import clock
from readdo.engine.settings import configured_model
from readdo.errors import LeaseLost
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change, Move, Refused, advance_all, living, move
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.state_machine import SYSTEM
from readdo.lifecycle.write import Write, WriteRefused
from readdo.proof import job_keys, job_places, job_workflow
from readdo.proof.chunk_work import ChunkWorker, rules_of
from readdo.proof.job_commands import PLACE, READY_TO_MERGE
from readdo.proof.job_rows import RULES_ENGINE, JobRow, progress_of
from readdo.proof.model_calls import create_model
from readdo.proof.reset import delete_files_if_gone
from readdo.proof.slice_limits import Carried, SliceLimits
from readdo.proof.slice_run import SliceRun
from readdo.store.keys import NOT_DUE, due
from readdo.store.table import DynamoTable

_WHO = "system:proof_slice"


def process_slice(table: DynamoTable, event: Mapping[str, Any], time_left: Callable[[JobRow], bool]) -> dict[str, Any]:
    """Returns the input of the next slice. `more` is false if there is none."""
    job = _begin(table, event)
    if job is None:
        return {**event, "more": False}
    current = Slice(job_workflow.PROOF_JOB, job["owner"], job["id"], job["epoch"])
    if job["options"]["engine"] == RULES_ENGINE:
        _finish_by_rules(table, current, job)
        return {**event, "more": False}
    progress = progress_of(table, job["owner"], job["id"])
    before = progress.get("tokens_before", [0, 0])
    spent = (progress.get("tokens_in", 0) - before[0], progress.get("tokens_out", 0) - before[1])
    carried = Carried.of(event)
    limits = SliceLimits(table, job, spent, carried)
    worker = ChunkWorker(
        job,
        job["epoch"],
        create_model(),
        job.get("llm_model") or configured_model(),
        json.loads(job["options"]["extra_params"]),
        rules_of(job),
        queue.SimpleQueue(),
        threading.Event(),
        limits.gate,
    )
    run = SliceRun(table, current, worker, progress, limits, carried)
    with delete_files_if_gone(table, job["owner"], job["id"]):
        more, first = run.run(event["first"], lambda: time_left(job))
    return {**event, "more": more, "first": first, **run.carried.fields}


def _begin(table: DynamoTable, event: Mapping[str, Any]) -> JobRow | None:
    """The job with the epoch of this slice. None if it waits for a place."""
    key = job_keys.job(event["owner"], event["job"])
    row = living(table.get(key))
    if row is None or row["execution"] != event["execution"]:
        raise LeaseLost(f"job {event['job']} has another execution than {event['execution']}")
    job = cast("JobRow", row)
    if "begin" in JOB.open_to(SYSTEM, job):
        return _begin_queued(table, job)
    sets = {"epoch": job["epoch"] + 1, **job_workflow.due_soon(job["id"], clock.now())}
    return _advance(table, job, "begin_slice", sets, (), [job_workflow.next_epoch(job)])


def _begin_queued(table: DynamoTable, job: JobRow) -> JobRow | None:
    """After `retry_failed`: take a place, or wait for one."""
    at = clock.now()
    free = job_places.free_places(table, job["owner"])
    if not free:
        _advance(table, job, "find_no_place", {"wait_reason": PLACE, **due(job["id"], at)}, (), [])
        return None
    sets = {"epoch": job["epoch"] + 1, "place": free[0], **job_workflow.due_soon(job["id"], at)}
    beside = [job_places.take(job, free[0]), job_workflow.next_epoch(job)]
    return _advance(table, job, "begin", sets, ("queued_at", "wait_reason"), beside)


def _advance(
    table: DynamoTable,
    job: JobRow,
    trigger: str,
    sets: Mapping[str, Any],
    removes: tuple[str, ...],
    beside: list[Write],
) -> JobRow:
    change = Change(sets, removes=removes, params={"execution_seen": job["execution"]})
    moved = move(JOB, trigger, job_keys.job(job["owner"], job["id"]), who=_WHO, at=clock.now(), change=change)
    _commit(table, *beside, moved)
    return cast("JobRow", {**job, **sets})


def _finish_by_rules(table: DynamoTable, current: Slice, job: JobRow) -> None:
    """Without a model, the text after the rules is the output of all chunks."""
    change = Change({"wait_reason": READY_TO_MERGE, "touched": True}, removes=(*NOT_DUE, "place"), params=current.fence)
    moved = move(JOB, "finish_processing", current.key, who=_WHO, at=clock.now(), change=change)
    progress = Write(
        job_keys.progress(current.owner, current.id), sets={"done": job.get("total_chunks", 0), "all_done": True}
    )
    _commit(table, progress, *job_places.give_back(job), moved)


def _commit(table: DynamoTable, *steps: Move | Write) -> None:
    try:
        advance_all(table, *steps)
    except (Refused, WriteRefused) as refused:
        raise LeaseLost(str(refused)) from refused
