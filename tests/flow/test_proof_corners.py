"""Corners of the Proof desk that once were wrong."""

import threading
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from readdo import files
from readdo.lifecycle.write import Key
from readdo.proof.job_rows import JobRow
from readdo.proof.processing import process_slice
from readdo.proof.slice_limits import CallGate, Carried
from support.proof_jobs import (
    NO_RULES,
    OPTIONS,
    TEXT,
    chunks,
    create_job,
    finished,
    get_job,
    post,
    state,
    upload,
    validated,
)
from support.proof_model import failure, local_model
from support.world import World

CHINESE = "第一章 雨夜\n林栀推开门，屋里一个人也没有。她点亮了灯，坐下来等。\n外面的雨一直没有停。\n"


def one_chunk_a_slice(world: World) -> None:
    """Slices that begin one chunk each, as with slow calls."""

    def instead(_: Callable[..., Any], event: dict[str, Any]) -> Any:
        looks = iter([True])

        def time_left(_job: JobRow) -> bool:
            return next(looks, False)

        return process_slice(world.table, event, time_left)

    world.instead["proof_slice"] = instead


def fails(code: str) -> Callable[[str], str]:
    def act(_: str) -> str:
        raise failure(code)

    return act


def test_outage_is_seen_across_slices(fresh: World) -> None:
    one_chunk_a_slice(fresh)
    with local_model(fails("401")) as model:
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model", max_concurrency=1)
        post(fresh, job_id, "start")
        fresh.settle()
    job = get_job(fresh, job_id)
    assert (job["state"], job["wait_reason"], model.calls) == ("paused", "provider", 5)
    assert job["counts"] == {"pending": 6, "processing": 0, "retrying": 0, "done": 0, "error": 0}


def test_text_may_be_validated_again_after_an_outage(fresh: World) -> None:
    with local_model(fails("401")):
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model")
        post(fresh, job_id, "start")
        fresh.settle()
        actions = fresh.api("GET", f"/jobs/{job_id}").json["available_actions"]
        assert "validate" in {action["action"] for action in actions}
        post(fresh, job_id, "validate")
        fresh.settle()
    assert state(fresh, job_id) == ("paused", "process")


def test_outage_while_draining_burns_no_chunk(fresh: World) -> None:
    paused: list[Any] = []
    together = threading.Barrier(5)

    def act(_: str) -> str:
        if together.wait() == 0:
            paused.append(post(fresh, job_id, "pause", {"drain": True}, status=200))
        together.wait()
        raise failure("401")

    with local_model(act):
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model", max_concurrency=5)
        post(fresh, job_id, "start")
        fresh.settle()
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("paused", "process", "user_paused")
    assert job["counts"]["pending"] == job["progress"]["total_chunks"]
    assert "draining" not in job


def test_reset_while_it_works_leaves_no_file(fresh: World) -> None:
    def act(text: str) -> str:
        if "chunk-2" in text:
            assert fresh.api("POST", f"/jobs/{job_id}/reset", {}).status == 204
        return text.replace("long", "very long")

    with local_model(act):
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model", max_concurrency=3, keep_raw=True)
        post(fresh, job_id, "start")
        fresh.settle()
    listed = boto3.client("s3").list_objects_v2(Bucket="bucket", Prefix="proof/")
    assert [row["Key"] for row in listed.get("Contents", [])] == []


def test_refusal_before_the_upload_names_the_state(fresh: World) -> None:
    job_id = fresh.api("POST", "/jobs", {"filename": "a.txt", "size": 5}).json["job"]["id"]
    for verb in ("validate", "rerun"):
        error = fresh.api("POST", f"/jobs/{job_id}/{verb}", {}).json["error"]
        assert (error["code"], error["details"]["state"], error["details"]["phase"]) == (
            "JOB_NOT_UPLOADED",
            "queued",
            "validate",
        )
        assert [action["action"] for action in error["details"]["available_actions"]] == ["reset"]


def test_active_chunks_are_listed_in_pages(fresh: World) -> None:
    pages: list[Any] = []
    together = threading.Barrier(3)

    def act(text: str) -> str:
        if together.wait(20) == 0:
            query = "?state=active&limit=2"
            pages.append(fresh.api("GET", f"/jobs/{job_id}/chunks{query}").json)
            pages.append(fresh.api("GET", f"/jobs/{job_id}/chunks{query}&cursor={pages[0]['next_cursor']}").json)
        together.wait(20)
        return text

    with local_model(act):
        job_id = validated(fresh, TEXT.partition("chunk-3")[0], **OPTIONS, engine="model", max_concurrency=3)
        assert len(chunks(fresh, job_id)) == 3
        post(fresh, job_id, "start")
        fresh.settle()
    assert [[chunk["n"] for chunk in page["chunks"]] for page in pages] == [[0, 1], [2]]
    assert pages[1]["next_cursor"] is None


def test_rate_limit_halves_the_calls_also_for_retries() -> None:
    gate, stopped = CallGate(4, Carried()), threading.Event()
    gate.rate_limited(0)
    assert gate.allowed == 2
    inside, waits = [gate.call(stopped, 10**9) for _ in range(2)], threading.Event()
    for call in inside:
        call.__enter__()

    def third() -> None:
        with gate.call(stopped, 10**9):
            waits.set()

    thread = threading.Thread(target=third)
    thread.start()
    assert not waits.is_set()
    inside[0].__exit__(None, None, None)
    thread.join()
    assert waits.is_set()


def test_next_slice_keeps_the_limits_after_a_429() -> None:
    carried = Carried([3, 4], 2, 10**10)
    assert Carried.of({"first": 0, **carried.fields}) == carried
    gate = CallGate(20, carried)
    assert gate.allowed == 2
    assert gate.seconds_to_call() > 1000


def test_max_cost_begins_anew_after_a_wait_for_a_place(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PRICE_IN", "PRICE_OUT"):
        monkeypatch.setenv(name, "1000")
    with local_model(lambda text: text):
        job_id = validated(fresh, TEXT, **OPTIONS, engine="model", max_concurrency=1, max_cost="0.05")
        post(fresh, job_id, "start")
        fresh.settle()
        before = get_job(fresh, job_id)
        assert before["wait_reason"] == "max_cost"
        others = [validated(fresh, TEXT, engine="rules") for _ in range(2)]
        for other in others:
            post(fresh, other, "start")
        assert post(fresh, job_id, "resume")["job"]["wait_reason"] == "waiting_for_place"
        fresh.settle()
        fresh.heartbeat()
        fresh.settle()
    assert get_job(fresh, job_id)["progress"]["done_chunks"] > before["progress"]["done_chunks"]


def test_later_upload_changes_nothing(fresh: World) -> None:
    job_id = validated(fresh, "One text.\n", rules=NO_RULES, engine="rules")
    upload(fresh, job_id, b"\xff\xfe\xfd text.")
    assert finished(fresh, job_id) == b"One text.\n"
    again = fresh.api("POST", f"/jobs/{job_id}/rerun", {}).json["job"]["id"]
    assert files.get(f"proof/{fresh.owner}/{again}/input") == b"One text.\n"


def test_paragraphs_stay_without_rules(fresh: World) -> None:
    job_id = validated(fresh, "甲乙。\n丙丁。\n", rules=NO_RULES, engine="rules", paragraphs="each_line")
    assert get_job(fresh, job_id)["paragraphs"] == "keep"
    assert finished(fresh, job_id).decode() == "甲乙。\n丙丁。\n"


def test_mixed_line_ends_survive_a_model_that_changes_nothing(fresh: World) -> None:
    body = b"one line\r\nanother line\nthe third\rthe end"
    with local_model(lambda text: text):
        job_id = validated(fresh, body, rules=NO_RULES, engine="model")
        assert finished(fresh, job_id, as_input=True) == body


def test_job_that_needs_a_model_is_not_started_without_one(fresh: World) -> None:
    with local_model(lambda text: text):
        job_id = validated(fresh, TEXT, engine="model")
    refused = fresh.api("POST", f"/jobs/{job_id}/start", {})
    assert (refused.status, "no" in refused.json["error"]["message"]) == (409, True)
    assert state(fresh, job_id) == ("paused", "process")


def test_model_of_a_job_by_rules_is_ignored(fresh: World) -> None:
    job_id = validated(fresh, TEXT, engine="rules")
    assert post(fresh, job_id, "start", {"model": "zzz"})["job"]["llm_model"] is None
    fresh.settle()


def test_job_without_a_text_is_not_validated(fresh: World) -> None:
    job_id = create_job(fresh, TEXT)
    files.remove(f"proof/{fresh.owner}/{job_id}/input")
    assert fresh.api("POST", f"/jobs/{job_id}/validate", {}).status == 409


def test_validation_leaves_the_files_of_one_text(fresh: World) -> None:
    def stored(job_id: str) -> list[str]:
        folder = f"proof/{fresh.owner}/{job_id}/"
        return sorted(name.removeprefix(folder).partition("/")[2] for name in files.sizes(folder))

    job_id = validated(fresh, CHINESE.encode("gb18030"), encoding="utf-8")
    assert (state(fresh, job_id), stored(job_id)) == (("error", "validate"), [""])
    for encoding in ("gb18030", "gbk"):
        post(fresh, job_id, "validate", {"encoding": encoding})
        fresh.settle()
        assert stored(job_id) == ["", "index", "source", "text"]
    assert CHINESE[:4] in get_job(fresh, job_id)["preview"]


def test_chunk_of_a_text_that_was_deleted_is_not_found(fresh: World) -> None:
    job_id = validated(fresh, CHINESE)
    files.remove_all(f"proof/{fresh.owner}/{job_id}/")  # a reset between the read of the row and of the file
    assert fresh.api("GET", f"/jobs/{job_id}/chunks/0").status == 404


def test_list_of_jobs_reads_all_counts_at_once(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    job_ids = [validated(fresh, CHINESE * n) for n in (1, 2, 3)]
    single_reads: list[Key] = []
    get = fresh.table.get

    def count(key: Key, **more: Any) -> Any:
        single_reads.append(key)
        return get(key, **more)

    monkeypatch.setattr(fresh.table, "get", count)
    listed = fresh.api("GET", "/jobs").json["jobs"]
    assert {job["id"]: job["progress"]["total_chunks"] for job in listed} == dict.fromkeys(job_ids, 1)
    assert not [key for key in single_reads if key.sk == "P"]
