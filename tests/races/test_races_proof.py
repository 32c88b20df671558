"""Races of proof jobs: commands, slices and heartbeats at once leave one consistent job."""

from typing import Any

from races.race_round import Arena, Round
from readdo import clock
from readdo.errors import LeaseLost
from readdo.heartbeat import sweep
from readdo.lifecycle.advance import advance_all, create
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.write import Write, put_new
from readdo.proof import job_commands, job_keys, processing
from readdo.proof.job_rows import NO_PROGRESS, find_job, progress_of
from readdo.store.commands import CommandContext
from support.proof_jobs import OPTIONS

PLACES = 2


def validated_job(round_: Round) -> str:
    """A job that waits for its user, without its text."""
    round_.arena.world.instead["proof_slice"] = lambda _, event: {**event, "more": False}  # the race begins slices
    job_id, at = clock.new_id(clock.now()), clock.now()
    options = {"engine": "rules", "rules": {}, "timeout": 10, "max_concurrency": 1, "extra_params": "{}", **OPTIONS}
    row = {"id": job_id, "owner": round_.owner, "created_at": at, "epoch": 0, "restarts": 0, "execution": 1}
    row |= {"filename": "a.txt", "size": 1, "options": {**options, "max_cost": ""}, "total_chunks": 1}
    key = job_keys.job(round_.owner, job_id)
    created = create(JOB, "create", key, row, who="user", at=at)
    advance_all(round_.table, created, put_new(job_keys.progress(round_.owner, job_id), {**NO_PROGRESS}))
    round_.table.write(Write(key, sets={"status": "paused/process", "wait_reason": "ready_to_process"}))
    return job_id


def command(round_: Round, name: str) -> CommandContext:
    return CommandContext(round_.table, round_.owner, name, clock.now(), operation="jobs")


def start(round_: Round, job_id: str) -> Any:
    return job_commands.start(command(round_, "start"), job_id, "")


def check(round_: Round, job_ids: list[str]) -> list[str]:
    """The states of the jobs. Each running job holds a place, and each epoch is that of its progress."""
    places = round_.table.get(job_keys.places(round_.owner)) or {}
    holders = [places[name] for name in places if name.startswith("place_")]
    states = []
    for job_id in job_ids:
        job = find_job(round_.table, round_.owner, job_id)
        assert job["epoch"] == progress_of(round_.table, round_.owner, job_id)["epoch"]
        assert (job_id in holders) == (job["status"] == "running/process"), (job["status"], places)
        states.append(job["status"])
    assert len(holders) == len(set(holders)) <= PLACES
    return states


def jobs_share_the_places(round_: Round) -> None:
    job_ids = [validated_job(round_) for _ in range(4)]
    round_.race(*((8, lambda job_id=job_id: start(round_, job_id)) for job_id in job_ids))
    states = check(round_, job_ids)
    assert sorted(states) == ["queued/process"] * 2 + ["running/process"] * 2


def start_pause_and_slices(round_: Round) -> None:
    """A user starts and pauses, while Lambda delivers the first slice again and again."""
    job_id = validated_job(round_)
    start(round_, job_id)
    job = find_job(round_.table, round_.owner, job_id)
    event = {"owner": round_.owner, "job": job_id, "execution": job["execution"], "epoch": job["epoch"], "first": 0}

    def begin() -> Any:
        return processing._begin(round_.table, event)

    _, slices, _ = round_.race(
        (8, lambda: job_commands.pause(command(round_, "pause"), job_id, drain=False)),
        (16, begin),
        (8, lambda: start(round_, job_id)),
    )
    check(round_, [job_id])
    epochs = [found["epoch"] for found in slices if not isinstance(found, Exception)]
    assert len(epochs) == len(set(epochs)), "two slices have the same epoch"
    assert all(isinstance(lost, LeaseLost) for lost in slices if isinstance(lost, Exception))


def waiting_jobs_begin_once(round_: Round) -> None:
    job_ids = [validated_job(round_) for _ in range(3)]
    for job_id in job_ids:
        start(round_, job_id)
    job_commands.pause(command(round_, "pause"), job_ids[0], drain=False)
    waiting = find_job(round_.table, round_.owner, job_ids[2])
    past = clock.after(clock.now(), -60)
    round_.table.write(Write(job_keys.job(round_.owner, waiting["id"]), sets={"due_at": past}))
    beats, _ = round_.race(
        (16, lambda: sweep.sweep(round_.table, lambda: True)),
        (16, lambda: start(round_, job_ids[0])),
    )
    check(round_, job_ids)
    assert sum(beat.get("begin_waiting", 0) for beat in beats) <= 1


def test_concurrent_starts(arena: Arena) -> None:
    arena.play(jobs_share_the_places)


def test_concurrent_slices_and_commands(arena: Arena) -> None:
    arena.play(start_pause_and_slices)


def test_concurrent_heartbeats_of_waiting_jobs(arena: Arena) -> None:
    arena.play(waiting_jobs_begin_once)
