"""Pauses of a proof job: by the user, by an outage, by a limit, and the wait for a place."""

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from flow.scripted_model import with_model
from readdo import clock
from support.model_server import ModelRequest, status
from support.proof_jobs import (
    OPTIONS,
    TEXT,
    chunk_with,
    chunks,
    completion,
    fenced_text,
    get_job,
    output,
    per_chunk,
    post,
    processed,
    state,
    validated,
)
from support.world import World

__all__ = ["with_model"]


def test_outage_pauses_the_job_and_burns_no_chunk(fresh: World, with_model: Any) -> None:
    server = with_model(per_chunk(("chunk-0", completion()), otherwise=status(401)))
    job_id = processed(fresh, max_concurrency=1)
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "process", "provider")
    assert job["counts"]["error"] == 0
    assert len(server.requests) == 6
    assert job["counts"]["done"] == 1
    assert {item["state"] for item in chunks(fresh, job_id)} == {"done", "pending"}


def test_job_that_an_outage_paused_goes_on(fresh: World, with_model: Any) -> None:
    with_model(*[status(401)] * 5, completion())
    job_id = processed(fresh, max_concurrency=1)
    assert get_job(fresh, job_id)["wait_reason"] == "provider"
    post(fresh, job_id, "resume")
    fresh.settle()
    assert state(fresh, job_id) == ("paused", "merge")


def test_spent_budget_pauses_the_job(fresh: World, with_model: Any) -> None:
    with_model(completion(tokens=(800, 800)), DAILY_TOKENS="3000")
    job_id = processed(fresh, max_concurrency=1)
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "process", "budget")
    assert job["counts"]["error"] == 0
    assert 0 < job["counts"]["done"] < job["progress"]["total_chunks"]


def test_max_cost_pauses_the_job(fresh: World, with_model: Any) -> None:
    with_model(completion(tokens=(300, 300)), PRICE_IN="1000", PRICE_OUT="1000")
    job_id = processed(fresh, max_concurrency=1, max_cost=1.4)
    job = get_job(fresh, job_id)
    assert job["wait_reason"] == "max_cost"
    done = job["counts"]["done"]
    assert 0 < done < job["progress"]["total_chunks"]
    assert job["estimate"]["cost"]
    post(fresh, job_id, "resume")
    fresh.settle()
    assert get_job(fresh, job_id)["counts"]["done"] > done


def test_max_cost_without_prices_is_not_watched(fresh: World, with_model: Any) -> None:
    with_model(completion())
    job_id = processed(fresh, max_cost="0.01")
    job = get_job(fresh, job_id)
    assert (job["max_cost_watched"], job["state"], job["phase"]) == (False, "paused", "merge")


def test_pause_ends_calls_and_a_resume_goes_on(fresh: World, with_model: Any) -> None:
    asked, paused = threading.Event(), threading.Event()

    def answer(request: ModelRequest) -> Any:
        if "chunk-2" in fenced_text(request) and not paused.is_set():
            asked.set()
            paused.wait(20)
        return completion()(request)

    server = with_model(answer)
    job_id = validated(fresh, TEXT, max_concurrency=1, **OPTIONS)
    post(fresh, job_id, "start")

    def pause_when_asked() -> None:
        asked.wait(20)
        answers.append(post(fresh, job_id, "pause", status=200))
        counted.append(len(server.requests))

    answers: list[Any] = []
    counted: list[int] = []
    thread = threading.Thread(target=pause_when_asked)
    thread.start()
    fresh.settle()
    thread.join()
    job = answers[0]["job"]
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "process", "user_paused")
    assert job["counts"]["processing"] == job["counts"]["retrying"] == 0
    assert len(server.requests) == counted[0]
    paused.set()
    post(fresh, job_id, "resume")
    fresh.settle()
    assert state(fresh, job_id) == ("paused", "merge")
    post(fresh, job_id, "merge")
    fresh.settle()
    assert output(fresh, job_id).decode() == TEXT


def test_drain_keeps_the_answers_in_progress(fresh: World, with_model: Any) -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def answer(request: ModelRequest) -> Any:
        if "chunk-2" in fenced_text(request):
            asked.set()
            may_answer.wait(20)
        return completion()(request)

    with_model(answer)
    job_id = validated(fresh, TEXT, max_concurrency=1, **OPTIONS)
    post(fresh, job_id, "start")

    def drain() -> None:
        asked.wait(20)
        answers.append(post(fresh, job_id, "pause", {"drain": True}, status=200))
        may_answer.set()

    answers: list[Any] = []
    thread = threading.Thread(target=drain)
    thread.start()
    fresh.settle()
    thread.join()
    assert answers[0]["job"]["counts"]["processing"] == 1
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "process", "user_paused")
    assert chunk_with(fresh, job_id, "chunk-2")["state"] == "done"
    assert job["counts"]["processing"] == 0
    assert job["counts"]["pending"] > 0
    assert "draining" not in job


def test_third_job_waits_for_a_place(fresh: World, with_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with_model(completion())
    ids = [validated(fresh, TEXT, **OPTIONS) for _ in range(4)]
    answers = [post(fresh, job_id, "start")["job"] for job_id in ids]
    assert [answer["state"] for answer in answers] == ["running", "running", "queued", "queued"]
    assert answers[2]["wait_reason"] == "waiting_for_place"
    assert post(fresh, ids[3], "pause", status=200)["job"]["state"] == "paused"
    assert fresh.heartbeat()["wait_longer"] == 1
    assert state(fresh, ids[2]) == ("queued", "process")
    fresh.settle()
    assert state(fresh, ids[0]) == ("paused", "merge")
    monkeypatch.setattr(clock, "now", lambda: clock.after(clock.stamp(datetime.now(UTC)), 60))
    fresh.heartbeat()
    fresh.settle()
    assert state(fresh, ids[2]) == ("paused", "merge")
    assert state(fresh, ids[3]) == ("paused", "process")
