"""A model in this process for proof jobs, and the checks that hold for a job at any time."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest import mock

from readdo import files
from readdo.proof import job_keys
from readdo.proof.chunk_states import counts_of, list_chunks
from readdo.proof.job_rows import find_job, progress_of
from readdo.proof.model_calls import CallFailed, ModelReply
from support.proof_jobs import output
from support.world import World

Act = Callable[[str], str]  # text of a chunk → its output


class LocalModel:
    """Calls `act` with the text of each chunk. A pause ends no call: the answer comes late."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self.calls = 0

    def call(self, _model: str, prompt: tuple[str, str], _extra: Mapping[str, Any], _deadline: float) -> ModelReply:
        self.calls += 1
        text = prompt[1].partition("<text>\n")[2].removesuffix("</text>")
        return ModelReply(self._act(text), False, 10, 10, b"{}")

    def end_calls(self) -> None:
        pass


@contextmanager
def local_model(act: Act) -> Iterator[LocalModel]:
    model = LocalModel(act)
    settings = {"ENGINE": "openai", "MODEL_NAME": "m", "DAILY_TOKENS": "90000000"}
    with (
        mock.patch("readdo.proof.processing.create_model", lambda: model),
        mock.patch("readdo.proof.chunk_work.RETRY_SECONDS", (0.01, 0.01)),
        mock.patch.dict(os.environ, settings),
    ):
        yield model


def failure(code: str) -> CallFailed:
    return CallFailed(code, f"The model failed with {code}.")


def wrong_with(world: World, job_id: str) -> Iterator[str]:
    """Check the counts of a job against its chunks, its epoch and its places."""
    row = world.table.get(job_keys.job(world.owner, job_id))
    if row is None or "status" not in row:
        return
    job, progress = find_job(world.table, world.owner, job_id), progress_of(world.table, world.owner, job_id)
    counts = counts_of(job, progress)
    if min(counts.values()) < 0 or sum(counts.values()) != job.get("total_chunks", 0):
        yield f"the counts are {counts}"
    if job["epoch"] != progress["epoch"]:
        yield f"the epochs are {job['epoch']} and {progress['epoch']}"
    listed, _ = list_chunks(world.table, job, progress, "", 0, 500)
    states = [chunk["state"] for chunk in listed]
    if {state: states.count(state) for state in counts} != counts:
        yield f"the counts are {counts}, and the chunks are {states}"
    places = world.table.get(job_keys.places(world.owner)) or {}
    holds = job_id in places.values()
    if holds != (job["status"] == "running/process"):
        yield f"it is {job['status']}, and the places are {places}"
    if ("wait_reason" in job) != job["status"].startswith("paused") and job.get("wait_reason") != "waiting_for_place":
        yield f"it is {job['status']}, and waits because of {job.get('wait_reason')}"
    if ("failure" in job) != job["status"].startswith("error"):
        yield f"it is {job['status']}, and its failure is {job.get('failure')}"


def wrong_at_the_end(world: World, job_id: str, expected: str) -> Iterator[str]:
    """Check a job that is done: every chunk once and in order, nothing due, nothing in progress."""
    yield from wrong_with(world, job_id)
    job = find_job(world.table, world.owner, job_id)
    if job["status"] != "done/done":
        yield f"it ended as {job['status']}: {job.get('failure')} {job.get('wait_reason')}"
        return
    if "due_at" in job or "place" in job or "draining" in job:
        yield f"it is done, and has {sorted(job)}"
    if (text := output(world, job_id).decode()) != expected:
        yield f"the output is {text!r}"
    if not files.size_of(job["report_at"]):
        yield "it has no report"
