"""Story of the Proof desk with every write: for tests of rights, and for the recorded life cycle."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from readdo import clock, files
from readdo.engine import settings
from readdo.store import tokens
from readdo.transfer import transfer_keys
from support.model_server import Behaviour, model_server, status
from support.proof_jobs import OPTIONS, TEXT, completion, create_job, get_job, per_chunk, post, processed, validated
from support.world import World


def run_proof(world: World) -> None:
    """Process texts with failures, lose executions, wait for a place, merge, and delete everything."""
    world.instead.clear()
    job_id = _process_with_failures(world)
    _read_everything(world, job_id)
    _pause_while_it_works(world)
    _lose_executions(world)
    _wait_for_a_place(world)
    _merge_fails(world)
    token = back_up_and_restore(world, "restorer")
    states = {job["state"] for job in world.api("GET", "/jobs", token=token).json["jobs"]}
    assert states == {"queued", "done"}, states
    again = world.api("POST", f"/jobs/{job_id}/rerun", {}).json["job"]["id"]
    for deleted, body in ((job_id, {"confirm": True}), (again, {})):
        assert world.api("POST", f"/jobs/{deleted}/reset", body).status == 204
    files.put_once(f"proof/{world.owner}/{job_id}/out/0/late", b"by a slice that ended late", "text/plain")
    _expire(world)


@contextmanager
def with_server(*script: Behaviour) -> Iterator[None]:
    with (
        model_server(*script) as server,
        mock.patch.object(settings, "_stored_key", lambda *_: "none"),
        mock.patch.dict(os.environ, {"ENGINE": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": server.url}),
        mock.patch("readdo.proof.chunk_work.RETRY_SECONDS", (0.01, 0.01)),
    ):
        yield


@contextmanager
def later(hours: float) -> Iterator[None]:
    now = clock.now
    with mock.patch.object(clock, "now", lambda: clock.after(now(), hours * 3600)):
        yield


def _process_with_failures(world: World) -> str:
    """A chunk is retried, another fails and is retried by the user, an outage pauses the job."""
    longer = completion(lambda text: text.replace("long", "very long"))
    with with_server(status(400), status(503), longer):
        job_id = processed(world, max_concurrency=1, keep_raw=True)
        assert get_job(world, job_id)["state"] == "error"
        post(world, job_id, "retry-failed")
        world.settle()
        post(world, job_id, "merge")
        world.settle()
        assert get_job(world, job_id)["state"] == "done"
    with with_server(*[status(401)] * 5, longer):
        paused = processed(world, max_concurrency=1)
        assert get_job(world, paused)["wait_reason"] == "provider"
        post(world, paused, "resume")
        world.settle()
    return job_id


def _read_everything(world: World, job_id: str) -> None:
    for path in ("", "/chunks", "/chunks/0", "/chunks?state=active", "/report", "/output"):
        assert world.api("GET", f"/jobs/{job_id}{path}").status in (200, 302), path
    assert world.api("GET", "/jobs").json["jobs"]


def _pause_while_it_works(world: World) -> None:
    """A drain and a pause while the model works. The answers of the drained chunks are kept."""
    for drain in (True, False):
        job_id = _paused(world, drain=drain)
        with with_server(completion()):
            post(world, job_id, "resume")
            world.settle()


def _paused(world: World, *, drain: bool) -> str:
    paused: list[Any] = []

    def answer(request: Any) -> Any:
        if not paused:
            paused.append(post(world, job_id, "pause", {"drain": drain}, status=200))
            paused.append(world.api("GET", f"/jobs/{job_id}/chunks?state=active"))
        return completion()(request)

    with with_server(answer):
        job_id = validated(world, TEXT, **OPTIONS, max_concurrency=1)
        post(world, job_id, "start")
        world.settle()
    return job_id


def _lose_executions(world: World) -> None:
    """Executions crash, with and without a record of it. The heartbeat finds the lost ones."""
    for room, verb in (("proof_validate", "validate"), ("proof_slice", "start"), ("proof_merge", "merge")):
        for lost in ({room: _crash}, {room: _crash, "record_failure": _crash}):
            job_id = _before(world, verb)
            world.instead |= lost
            post(world, job_id, verb)
            world.settle()
            with later(1):
                world.heartbeat()
            world.instead.clear()
            job = get_job(world, job_id)
            assert job.get("wait_reason") == "recovered" or job["failure"]["error_code"], job
            assert world.api("POST", f"/jobs/{job_id}/reset", {}).status == 204

    world.instead["proof_slice"] = _find_no_place
    post(world, job_id := _before(world, "start"), "start")
    world.settle()
    world.instead.clear()
    assert get_job(world, job_id)["wait_reason"] == "waiting_for_place"
    assert world.api("POST", f"/jobs/{job_id}/reset", {}).status == 204


def _before(world: World, verb: str) -> str:
    job_id = create_job(world, TEXT, **OPTIONS, engine="rules")
    for before in ("validate", "start", "merge"):
        if before == verb:
            break
        post(world, job_id, before)
        world.settle()
    return job_id


def _wait_for_a_place(world: World) -> None:
    """The third job waits. A job with failed chunks waits after its retry, too, or loses its start."""
    with with_server(per_chunk(("chunk-3", status(400)))):
        failed = [processed(world) for _ in range(2)]
        world.instead["proof_slice"] = lambda _, event: {**event, "more": False}
        running = [validated(world, TEXT, **OPTIONS, engine="rules") for _ in range(3)]
        for job_id in running:
            post(world, job_id, "start")
        post(world, failed[0], "retry-failed")
        world.settle()
        with later(1):
            world.heartbeat()
        assert get_job(world, failed[0])["wait_reason"] == "recovered"
        world.instead.clear()
        post(world, failed[1], "retry-failed")
        world.settle()
        for hours in (2, 3, 4):
            with later(hours):
                world.heartbeat()
            world.settle()


def _merge_fails(world: World) -> None:
    """A character that the encoding of the input does not have, then a merge as UTF-8."""
    body = "Il était une fois... à la forêt, déjà -- là.\n".encode("cp1252")
    job_id = validated(world, body, encoding="cp1252", engine="rules")
    post(world, job_id, "start")
    world.settle()
    post(world, job_id, "merge", {"as_input": True})
    world.settle()


def back_up_and_restore(world: World, owner: str, times: int = 2) -> str:
    """Restore everything for another owner. Returns a token of the other owner."""
    backup = world.api("GET", "/export-all?fresh=true").json["backup"]["id"]
    world.settle()
    row = world.table.get(transfer_keys.backup(world.owner, backup)) or {}
    body = files.get(row["file"]["at"])
    token = tokens.issue(world.table, owner, "a token")
    for _ in range(times):
        offer = world.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)}, token=token).json
        files.put_once(f"restores/{owner}/{offer['restore']['id']}.zip", body, "application/zip")
        assert world.api("POST", f"/restores/{offer['restore']['id']}/start", token=token).status == 202
        world.settle()
        restored = world.api("GET", f"/restores/{offer['restore']['id']}", token=token).json["restore"]
        assert (restored["status"], restored["told"]) == ("DONE", [])
    return token


def _expire(world: World) -> None:
    """Texts that never came, and one that was never validated."""
    world.api("POST", "/jobs", {"filename": "never.txt", "size": 5})
    create_job(world, TEXT)
    for hours in (8 * 24, 8 * 24 + 1, 8 * 24 + 2):
        with later(hours):
            world.heartbeat()


def _crash(_: Callable[..., Any], _event: dict[str, Any]) -> Any:
    raise RuntimeError("the function crashed")


def _find_no_place(_: Callable[..., Any], _event: dict[str, Any]) -> Any:
    raise type("Lambda.TooManyRequestsException", (Exception,), {})("Rate Exceeded.")
