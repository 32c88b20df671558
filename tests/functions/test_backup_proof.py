"""Proof jobs in backups, and restored from them."""

import io
import json
import zipfile
from typing import Any

import pytest

from functions.backups_in import backup_row, new_backup, open_backup, read_lines
from functions.restores_in import restore_backup, token_of
from readdo import files
from support.proof_jobs import create_job, finished, post, validated
from support.world import World

TEXT = "他说,好.\n"


def backed_up(world: World) -> tuple[str, bytes]:
    backup_id = new_backup(world)
    return backup_id, files.get(backup_row(world, backup_id)["file"]["at"])


def changed(body: bytes, line: dict[str, Any]) -> bytes:
    """The backup with another line of a job."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, json.dumps(line) + "\n" if name == "jobs.jsonl" else old.read(name))
    return out.getvalue()


def jobs_of(world: World, token: str) -> list[dict[str, Any]]:
    return list(world.api("GET", "/jobs", token=token).json["jobs"])


def test_backup_has_the_text_and_the_output_of_a_job(fresh: World) -> None:
    job_id = validated(fresh, TEXT)
    merged = finished(fresh, job_id)
    waiting = create_job(fresh, TEXT)
    fresh.api("POST", "/jobs", {"filename": "never.txt", "size": 5})
    backup_id, _ = backed_up(fresh)
    archive = open_backup(fresh, backup_id)
    lines = {line["id"]: line for line in read_lines(archive, "jobs")}
    assert len(lines) == 3
    assert archive.read(lines[job_id]["input"]).decode() == TEXT
    assert archive.read(lines[job_id]["output"]["path"]) == merged
    assert archive.read(lines[waiting]["input"]).decode() == TEXT
    assert "output" not in lines[waiting]


def test_restored_jobs_can_be_used(fresh: World) -> None:
    job_id = validated(fresh, TEXT, rules={"indent": False})
    merged = finished(fresh, job_id)
    report = fresh.api("GET", f"/jobs/{job_id}/report").json["report"]
    waiting = validated(fresh, TEXT)
    _, body = backed_up(fresh)
    token = token_of(fresh, "another")
    for counts in ({"restored": 2, "known": 0}, {"restored": 0, "known": 2}):
        restored = restore_backup(fresh, body, token)
        assert {name: restored[name] for name in counts} == counts
    states = {job["id"]: (job["state"], job["phase"]) for job in jobs_of(fresh, token)}
    assert states == {job_id: ("done", "done"), waiting: ("queued", "validate")}
    done = fresh.api("GET", f"/jobs/{job_id}", token=token).json["job"]
    assert done["options"]["rules"]["indent"] is False
    assert done["output"]["bytes"] == len(merged)
    again = fresh.api("GET", f"/jobs/{job_id}/report", token=token).json["report"]
    assert {**again, "diff_url": ""} == {**report, "diff_url": ""}
    assert fresh.api("GET", f"/jobs/{job_id}/output", token=token).status == 302
    assert fresh.api("GET", f"/jobs/{job_id}/chunks", token=token).json["chunks"] == []
    rerun = fresh.api("POST", f"/jobs/{job_id}/rerun", {}, token=token)
    assert rerun.status == 201
    for restored_id in (waiting, rerun.json["job"]["id"]):
        assert fresh.api("POST", f"/jobs/{restored_id}/validate", {}, token=token).status == 202
    fresh.settle()
    phases = {job["phase"] for job in jobs_of(fresh, token) if job["id"] != job_id}
    assert phases == {"process"}


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"chunk_chars": 1}},
        {"options": {"extra_params": "{"}},
        {"options": {"rules": {"spelling": True}}},
        {"input": "proof/nothing.txt"},
        {"output": {"filename": "a", "bytes": 1, "sha256": "0" * 64, "path": "readdo.json"}},
        {"report": "readdo.json"},
        {"size": -1},
        {"filename": ""},
    ],
)
def test_invalid_job_is_refused_and_the_rest_restored(fresh: World, change: dict[str, Any]) -> None:
    job_id = validated(fresh, TEXT)
    finished(fresh, job_id)
    backup_id, body = backed_up(fresh)
    (line,) = read_lines(open_backup(fresh, backup_id), "jobs")
    token = token_of(fresh, "another")
    restored = restore_backup(fresh, changed(body, {**line, **change}), token)
    assert (restored["status"], restored["restored"], restored["refused"]) == ("DONE", 0, 1)
    assert restored["told"][0]["message"]
    assert jobs_of(fresh, token) == []


def test_existing_job_is_not_changed(fresh: World) -> None:
    job_id = validated(fresh, TEXT)
    _, body = backed_up(fresh)
    post(fresh, job_id, "start")
    fresh.settle()
    before = fresh.api("GET", f"/jobs/{job_id}").json
    restored = restore_backup(fresh, body, fresh.token)
    assert restored["known"] == 1
    assert fresh.api("GET", f"/jobs/{job_id}").json == before
