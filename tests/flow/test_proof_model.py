"""The Proof desk with a model: outcomes of chunks, retries, pauses, and what a job shows of them."""

from typing import Any

import boto3
import pytest

from flow.scripted_model import with_model
from readdo.proof import chunk_work
from support.model_server import Behaviour, ModelRequest, Reply, html, model_answer, sends, status
from support.proof_jobs import (
    TEXT,
    chunk,
    chunk_with,
    chunks,
    completion,
    fenced_text,
    finished,
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


@pytest.fixture(autouse=True)
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_work, "RETRY_SECONDS", (0.001, 0.001))


def test_model_corrects_each_chunk_once(fresh: World, with_model: Any) -> None:
    server = with_model(completion(lambda text: text.replace("long enough", "long  enough now")))
    job_id = processed(fresh)
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "merge", "ready_to_merge")
    total = job["progress"]["total_chunks"]
    assert total > 4
    assert len(server.requests) == total
    assert {item["state"] for item in chunks(fresh, job_id)} == {"done"}
    assert job["tokens"]["sent"] > 0
    post(fresh, job_id, "merge")
    fresh.settle()
    assert output(fresh, job_id).decode() == TEXT.replace("long enough", "long  enough now")
    report = fresh.api("GET", f"/jobs/{job_id}/report").json["report"]
    assert report["models"] == {"served-model": total}
    assert report["changed_chunks"] == total


def test_chunk_stands_once_in_the_last_message_between_tags(fresh: World, with_model: Any) -> None:
    server = with_model(completion())
    processed(fresh)
    for request in server.requests:
        assert request.body["temperature"] == 0
        assert request.system.count("<text>") == 0
        user = request.turns[-1][1]
        assert (user.count("\n<text>\n") + user.startswith("<text>\n"), user.count("</text>")) == (1, 1)
    assert "".join(sorted((fenced_text(r) for r in server.requests), key=TEXT.index)) == TEXT


@pytest.mark.parametrize(
    ("fault", "code", "retries"),
    [
        (status(503), "503", 2),
        (status(429), "429", 2),
        (status(409), "409", 2),
        (status(401), "401", 0),
        (status(400), "400", 0),
        (status(501), "501", 0),
        (html(), "reply_invalid", 0),
        (sends({"choices": []}), "reply_invalid", 0),
        (completion(lambda _: ""), "output_empty", 0),
        (completion(lambda _: "<think>I am not"), "think_unclosed", 0),
        (completion(lambda text: text[: len(text) // 2]), "output_too_short", 0),
        (completion(lambda text: text * 2), "output_too_long", 0),
        (completion(ends="length"), "output_cut", 0),
    ],
)
def test_one_bad_chunk_stops_no_other(fresh: World, with_model: Any, fault: Behaviour, code: str, retries: int) -> None:
    with_model(per_chunk(("chunk-3", fault)))
    job_id = processed(fresh)
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["failure"]["error_code"]) == ("error", "process", "CHUNKS_FAILED")
    assert (job["counts"]["error"], job["counts"]["done"]) == (1, job["progress"]["total_chunks"] - 1)
    failed = chunk_with(fresh, job_id, "chunk-3")
    assert (failed["state"], failed["last_error_code"], failed["retries"]) == ("error", code, retries)
    assert failed["last_error_message"]
    assert failed["out"] is None
    assert job["last_retry_count"] == retries
    for verb, refusal in (("merge", "FAILED_CHUNKS"), ("start", "FAILED_CHUNKS"), ("pause", "STATE_CONFLICT")):
        answer = fresh.api("POST", f"/jobs/{job_id}/{verb}", {})
        assert (answer.status, answer.json["error"]["code"]) == (409, refusal)
        assert (answer.json["error"]["details"]["state"], answer.json["error"]["details"]["phase"]) == (
            "error",
            "process",
        )


def test_failed_chunks_are_retried_with_another_model(fresh: World, with_model: Any) -> None:
    calls: list[tuple[str, str]] = []

    def answer(request: ModelRequest) -> Any:
        text = fenced_text(request)
        calls.append((request.body["model"], text))
        if "chunk-3" in text and request.body["model"] == "served-model":
            return status(400)(request)
        return model_answer(request, text)

    with_model(answer)
    job_id = processed(fresh)
    before = len(calls)
    answered = post(fresh, job_id, "retry-failed", {"model": "better-model"})
    assert answered["job"]["counts"]["error"] == 0
    assert answered["job"]["counts"]["pending"] == 1
    fresh.settle()
    assert state(fresh, job_id) == ("paused", "merge")
    assert [model for model, _ in calls[before:]] == ["better-model"]
    retried = chunk_with(fresh, job_id, "chunk-3")
    assert (retried["state"], retried["llm_model"], retried["last_error_code"]) == ("done", "better-model", "400")
    assert chunk(fresh, job_id, 0)["llm_model"] == "served-model"
    assert get_job(fresh, job_id)["llm_model"] == "better-model"


def test_retry_that_succeeds_keeps_its_history(fresh: World, with_model: Any) -> None:
    failures = iter([status(503), status(429, Retry_After="0")])

    def answer(request: ModelRequest) -> Any:
        if "chunk-2" in fenced_text(request) and (failure := next(failures, None)):
            return failure(request)
        return completion()(request)

    with_model(answer)
    job_id = processed(fresh)
    done = chunk_with(fresh, job_id, "chunk-2")
    assert (done["state"], done["retries"], done["last_error_code"]) == ("done", 2, "429")
    assert get_job(fresh, job_id)["last_retry_count"] == 2


def test_reasoning_and_repeated_tags_are_removed(fresh: World, with_model: Any) -> None:
    def answer(request: ModelRequest) -> Any:
        text = fenced_text(request)
        return model_answer(request, f"<think>a <think>b</think> c</think>\n<text>\n{text}</text>")

    with_model(answer)
    job_id = processed(fresh)
    post(fresh, job_id, "merge")
    fresh.settle()
    assert output(fresh, job_id).decode() == TEXT


def test_blank_chunks_skip_the_model(fresh: World, with_model: Any) -> None:
    server = with_model(completion())
    rules = {"blank_lines": False, "trailing_blanks": False}
    job_id = validated(fresh, TEXT + " \n" * 400 + "The end.\n", chunk_chars=300, rules=rules)
    finished(fresh, job_id)
    assert all(fenced_text(request).strip() for request in server.requests)
    assert {item["llm_model"] for item in chunks(fresh, job_id)} == {"served-model", None}


def test_raw_responses_are_kept_of_failed_chunks_or_of_all(fresh: World, with_model: Any) -> None:
    with_model(per_chunk(("chunk-3", sends(b"<html>busy</html>", 400))))
    job_id = processed(fresh)
    assert len(_responses(fresh, job_id)) == 1
    with_model(completion())
    kept = processed(fresh, keep_raw=True)
    assert len(_responses(fresh, kept)) == get_job(fresh, kept)["progress"]["total_chunks"]


def _responses(world: World, job_id: str) -> list[str]:
    listed = boto3.client("s3").list_objects_v2(Bucket="bucket", Prefix=f"proof/{world.owner}/{job_id}/resp/")
    return [row["Key"] for row in listed.get("Contents", [])]


def test_extra_parameters_reach_the_model(fresh: World, with_model: Any) -> None:
    server = with_model(completion())
    processed(fresh, extra_params={"top_p": 0.5, "temperature": None}, model="my-model")
    assert {request.body["top_p"] for request in server.requests} == {0.5}
    assert {request.body["model"] for request in server.requests} == {"my-model"}
    assert all("temperature" not in request.body for request in server.requests)


def test_broken_responses_of_200_are_failures(fresh: World, with_model: Any) -> None:
    error = {"error": {"code": 503, "message": "upstream"}}
    with_model(per_chunk(("chunk-1", lambda _: Reply(200, b"[]")), ("chunk-3", sends(error))))
    job_id = processed(fresh)
    assert chunk_with(fresh, job_id, "chunk-1")["last_error_code"] == "reply_invalid"
    assert (
        chunk_with(fresh, job_id, "chunk-3")["last_error_code"],
        chunk_with(fresh, job_id, "chunk-3")["retries"],
    ) == ("503", 2)
