"""Commands of a user on a proof job.

Each raises the epoch, so that slices in progress cannot write any more.
"""

from collections.abc import Callable, Mapping
from typing import Any

from readdo import clock, files
from readdo.engine.settings import configured_model
from readdo.errors import Rejected
from readdo.lifecycle.advance import Change, Forbidden, Move, Refused, create, move
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import Write, put_new
from readdo.proof import job_keys, job_places, job_workflow
from readdo.proof.job_files import has_text, input_of, text_source
from readdo.proof.job_rows import MODEL_ENGINE, NO_PROGRESS, JobRow, OptionFields, find_job, progress_of
from readdo.store.commands import Answer, CommandContext, PlannedWrites, carry_out
from readdo.store.keys import NOT_DUE, due

FILE_MAX = 209_715_200  # bytes
WAITS_SECONDS = 7 * 24 * 3600  # for its text
START_SECONDS = 120  # until an execution must have begun
READY, USER_PAUSED, READY_TO_MERGE = "ready_to_process", "user_paused", "ready_to_merge"
RECOVERED, PROVIDER, BUDGET, MAX_COST, PLACE = "recovered", "provider", "budget", "max_cost", "waiting_for_place"
_OF_RUN = ("wait_reason", "failure", "draining")

Steps = tuple[dict[str, Any], list[Write]]  # fields of the job, and writes beside its move


class NoModel(Rejected):
    """The job needs a model, and the installation has none any more."""

    key = "rejected.job_without_model"


def create_job(context: CommandContext, filename: str, size: int, options: OptionFields) -> str:
    """Return the id of the new job, or of the one with the same key."""
    model = options["model"] or configured_model()
    named = {"llm_model": model} if options["engine"] == MODEL_ENGINE else {}
    return _create(context, clock.new_id(context.at), {"filename": filename, "size": size, "options": options, **named})


def rerun(context: CommandContext, job_id: str) -> str:
    """Return the id of a new job with the same text and options."""
    first = context.remembered()
    if first is not None:
        return str(first["job"])
    job = find_job(context.table, context.owner, job_id, "rerun")
    _check_text(job, "rerun")
    new_id = clock.new_id(context.at)
    files.copy(text_source(job), input_of(context.owner, new_id))
    model = {"llm_model": job["llm_model"]} if "llm_model" in job else {}
    fields = {"filename": job["filename"], "size": job["size"], "options": job["options"], **model}
    return _create(context, new_id, fields)


def _create(context: CommandContext, job_id: str, fields: Mapping[str, Any]) -> str:
    def look() -> PlannedWrites:
        row = {"id": job_id, "owner": context.owner, "created_at": context.at, "epoch": 0, "restarts": 0}
        row |= {"execution": 0, **fields, **due(job_id, clock.after(context.at, WAITS_SECONDS))}
        created = create(JOB, "create", job_keys.job(context.owner, job_id), row, who="user", at=context.at)
        progress = put_new(job_keys.progress(context.owner, job_id), {**NO_PROGRESS})
        return PlannedWrites({"job": job_id}, [created, progress])

    return str(carry_out(context, look)["job"])


def validate(context: CommandContext, job_id: str, encoding: str) -> JobRow:
    def plan(job: JobRow) -> Steps:
        _check_text(job, "validate")
        options = {**job["options"], **({"encoding": encoding} if encoding else {})}
        return {"options": options}, []

    return _start(context, job_id, "validate", job_workflow.VALIDATE, plan)


def start(context: CommandContext, job_id: str, model: str) -> JobRow:
    """Also for `resume`. Without a free place, the job waits for one."""

    def look() -> PlannedWrites:
        job = _with_model(_open_job(context, job_id, "start"))
        free = job_places.free_places(context.table, context.owner)
        before = _tokens(context, job)
        if not free:
            sets = {**_model(job, model), "wait_reason": PLACE, "queued_at": context.at, **due(job_id, context.at)}
            return _planned(context, job, "wait_for_place", sets, [], tokens_before=before)
        sets = {**_model(job, model), **_next_execution(job, context.at), "place": free[0]}
        return _planned(context, job, "start", sets, [job_places.take(job, free[0])], tokens_before=before)

    return _carry_out(context, job_id, look, job_workflow.PROCESS, "start")


def retry_failed(context: CommandContext, job_id: str, model: str) -> JobRow:
    def look() -> PlannedWrites:
        job = _with_model(_open_job(context, job_id, "retry_failed"))
        sets = {**_model(job, model), **_next_execution(job, context.at), "queued_at": context.at}
        sets |= due(job_id, clock.after(context.at, START_SECONDS))
        retried = {"error": 0, "retried_at_epoch": job["epoch"] + 1, "tokens_before": _tokens(context, job)}
        return _planned(context, job, "retry_failed", sets, [], **retried)

    return _carry_out(context, job_id, look, job_workflow.PROCESS, "retry_failed")


def merge(context: CommandContext, job_id: str, *, as_input: bool) -> JobRow:
    return _start(context, job_id, "merge", job_workflow.MERGE, lambda _: ({"as_input": as_input}, []))


def pause(context: CommandContext, job_id: str, *, drain: bool) -> JobRow:
    """With `drain`, chunks in progress are finished: the epoch stays."""

    def look() -> PlannedWrites:
        job = _open_job(context, job_id, "pause")
        sets: dict[str, Any] = {"wait_reason": USER_PAUSED}
        if drain and "place" in job:
            paused = _move(context, job, "pause", {**sets, "draining": True}, ("place",))
            return PlannedWrites({"job": job_id}, [job_workflow.drain(job), *job_places.give_back(job), paused])
        return _planned(context, job, "pause", sets, job_places.give_back(job))

    return _carry_out(context, job_id, look, "", "pause")


def _start(context: CommandContext, job_id: str, trigger: str, work: str, plan: Callable[[JobRow], Steps]) -> JobRow:
    def look() -> PlannedWrites:
        job = _open_job(context, job_id, trigger)
        sets, beside = plan(job)
        sets = {**sets, **_next_execution(job, context.at)}
        return _planned(context, job, trigger, sets, beside)

    return _carry_out(context, job_id, look, work, trigger)


def _carry_out(
    context: CommandContext, job_id: str, look: Callable[[], PlannedWrites], work: str, trigger: str
) -> JobRow:
    """Return the job after the command. A refusal carries the counts of the chunks."""
    try:
        planned = carry_out(context, look)
    except Refused as refused:
        if refused.row is not None:
            counts = progress_of(context.table, context.owner, job_id)
            refused.row = {**refused.row, "progress": counts}
        raise
    job = find_job(context.table, context.owner, job_id, trigger)
    if work and planned.get("execution", job["execution"]) == job["execution"] and "wait_reason" not in job:
        job_workflow.start_work(job, work)
    return job


def _open_job(context: CommandContext, job_id: str, trigger: str) -> JobRow:
    job = find_job(context.table, context.owner, job_id, trigger)
    if trigger not in JOB.open_to(USER, job):
        raise Forbidden(JOB, trigger, job)
    return job


def _check_text(job: JobRow, trigger: str) -> None:
    if not has_text(job):
        raise Forbidden(JOB, trigger, {**job, "without_text": True})


def _with_model(job: JobRow) -> JobRow:
    if job["options"]["engine"] == MODEL_ENGINE and not configured_model():
        raise NoModel(filename=job["filename"])
    return job


def _planned(
    context: CommandContext, job: JobRow, trigger: str, sets: Mapping[str, Any], beside: list[Write], **progress: Any
) -> PlannedWrites:
    """The move with the next epoch. A field of the last run is removed unless it is set again."""
    removes = [name for name in (*_OF_RUN, "place") if name not in sets]
    removes += [name for name in NOT_DUE if name not in sets]
    moved = _move(context, job, trigger, {**sets, "epoch": job["epoch"] + 1}, tuple(removes))
    answer: Answer = {"job": job["id"], "execution": sets.get("execution", 0)}
    runs = [job_workflow.run_row(job, sets["run_id"], context.at)] if "run_id" in sets else []
    return PlannedWrites(answer, [job_workflow.next_epoch(job, **progress), *beside, *runs, moved])


def _move(
    context: CommandContext, job: JobRow, trigger: str, sets: Mapping[str, Any], removes: tuple[str, ...]
) -> Move:
    """The transaction also checks the epoch, on the progress row."""
    change = Change(sets, removes=removes)
    return move(JOB, trigger, job_keys.job(job["owner"], job["id"]), who="user", at=context.at, change=change)


def _next_execution(job: JobRow, at: str) -> dict[str, Any]:
    return {"execution": job["execution"] + 1, "run_id": clock.new_id(at), **job_workflow.due_soon(job["id"], at)}


def _model(job: JobRow, model: str) -> dict[str, Any]:
    """A job by rules alone asks no model."""
    if not model or job["options"]["engine"] != MODEL_ENGINE:
        return {}
    return {"options": {**job["options"], "model": model}, "llm_model": model}


def _tokens(context: CommandContext, job: JobRow) -> list[int]:
    progress = progress_of(context.table, context.owner, job["id"])
    return [progress.get("tokens_in", 0), progress.get("tokens_out", 0)]
