"""Pauses while the model works: the writes of the slice are fenced by the epoch and stop for a drain."""

from support.proof_jobs import OPTIONS, TEXT, get_job, post, validated
from support.proof_model import local_model
from support.world import World


def test_answer_after_a_pause_is_not_counted(fresh: World) -> None:
    """The second answer: the first one of a job also writes to the job's row, which has its own fence."""

    def act(text: str) -> str:
        if model.calls == 2:
            post(fresh, job_id, "pause", status=200)
        return text

    with local_model(act) as model:
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model", max_concurrency=1)
        post(fresh, job_id, "start")
        fresh.settle()
    job = get_job(fresh, job_id)
    assert (job["state"], job["counts"]["done"], model.calls) == ("paused", 1, 2)


def test_drain_claims_no_further_chunk(fresh: World) -> None:
    def act(text: str) -> str:
        if model.calls == 1:
            post(fresh, job_id, "pause", {"drain": True}, status=200)
        return text

    with local_model(act) as model:
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model", max_concurrency=1)
        post(fresh, job_id, "start")
        fresh.settle()
    job = get_job(fresh, job_id)
    assert (job["state"], job["counts"]["done"], model.calls) == ("paused", 1, 1)
