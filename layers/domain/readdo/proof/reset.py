"""Reset a job: its row becomes a tombstone, and its rows and files are deleted."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from readdo import clock, files
from readdo.errors import LeaseLost, Rejected
from readdo.lifecycle.advance import Change, Forbidden, Move, advance_all, living, move
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import VERSION_SEEN, Write, WriteRefused, same
from readdo.proof import job_keys, job_places
from readdo.proof.job_rows import JobRow, find_job
from readdo.store.commands import CommandContext, PlannedWrites, carry_out
from readdo.store.keys import NOT_DUE, due
from readdo.store.table import DynamoTable

# A call to the model that was in flight may still store its output.
SWEEP_SECONDS = 20
_LAST_SWEEP_SECONDS = 900
KEPT_SECONDS = 24 * 3600


class NotConfirmed(Rejected):
    key, code, field = "rejected.reset_not_confirmed", "VALIDATION_ERROR", "confirm"


def reset(context: CommandContext, job_id: str, *, confirm: bool) -> None:
    """Delete a job. The heartbeat deletes what an ending slice still stores."""

    def look() -> PlannedWrites:
        job = find_job(context.table, context.owner, job_id, "reset")
        if "reset" not in JOB.open_to(USER, job):
            raise Forbidden(JOB, "reset", job)
        if "merged" in job and not confirm:
            raise NotConfirmed(filename=job["filename"])
        return PlannedWrites({}, [*_beside(job), gone(job, "reset", "user", context.at)])

    carry_out(context, look)
    delete_rest(context.table, context.owner, job_id)


def gone(job: JobRow, trigger: str, who: str, at: str, params: Mapping[str, Any] | None = None) -> Move:
    expires_at = clock.after(at, KEPT_SECONDS)
    tombstone = {
        "id": job["id"],
        "owner": job["owner"],
        "expires": clock.epoch_seconds(expires_at),
        **due(job["id"], clock.after(at, SWEEP_SECONDS)),
    }
    params = {"seen_version": job["version"], **(params or {})}
    change = Change(tombstone, condition=VERSION_SEEN, params=params)
    return move(JOB, trigger, job_keys.job(job["owner"], job["id"]), who=who, at=at, change=change)


def _beside(job: JobRow) -> list[Write]:
    """The epoch of a slice in progress ends with the progress row."""
    return [Write(job_keys.progress(job["owner"], job["id"]), "delete"), *job_places.give_back(job)]


def expire(table: DynamoTable, job: JobRow, at: str) -> str:
    """A job whose text never came."""
    params = {"due_seen": job.get("due_at"), "now": at, "epoch": job["epoch"]}
    advance_all(table, *_beside(job), gone(job, "expire", "system:heartbeat", at, params))
    delete_rest(table, job["owner"], job["id"])
    return "expire"


def sweep_tombstone(table: DynamoTable, row: Mapping[str, Any], at: str) -> str:
    """Delete what a slice stored after the reset."""
    delete_rest(table, row["owner"], row["id"])
    is_last = clock.seconds_between(row["deleted_at"], at) > _LAST_SWEEP_SECONDS
    key = job_keys.job(row["owner"], row["id"])
    write = Write(key, condition=same("due_at", "seen"), params={"seen": row["due_at"]})
    again = due(row["id"], clock.after(at, _LAST_SWEEP_SECONDS))
    try:
        table.write(replace(write, removes=NOT_DUE) if is_last else replace(write, sets=again))
    except WriteRefused:
        return "lost_a_race"
    return "sweep_away"


@contextmanager
def delete_files_if_gone(table: DynamoTable, owner: str, job_id: str) -> Iterator[None]:
    """If the block loses its lease: the job may have been reset while the block still stored files."""
    try:
        yield
    except LeaseLost:
        if living(table.get(job_keys.job(owner, job_id))) is None:
            files.remove_all(f"{job_keys.folder(owner, job_id)}/")
        raise


def delete_rest(table: DynamoTable, owner: str, job_id: str) -> None:
    files.remove_all(f"{job_keys.folder(owner, job_id)}/")
    table.delete_all(table.keys_of(job_keys.partition(owner, job_id)))
