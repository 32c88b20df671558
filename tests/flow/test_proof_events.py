"""What others hear of a proof job: webhooks and metrics."""

import json
from typing import Any

from readdo.integrations import integration_keys
from readdo.integrations.webhooks import fan_out
from readdo.proof import job_keys
from support.proof_jobs import finished, post, validated
from support.stream import image, streamed
from support.world import World

TEXT = "他说,好.\n"


def hear(world: World, job_id: str) -> list[dict[str, Any]]:
    """Deliver the job's row as the stream does. Returns the bodies of all deliveries so far, oldest first."""
    row = world.table.get(job_keys.job(world.owner, job_id)) or {}
    assert streamed(world, [image(row)]) == {"batchItemFailures": []}
    hook = world.api("GET", "/webhooks").json["webhooks"][0]["id"]
    listed = world.api("GET", f"/webhooks/{hook}/deliveries").json["deliveries"]
    rows = [world.table.get(_delivery(world, hook, one["id"])) or {} for one in listed]
    return sorted((json.loads(row["body"]) for row in rows), key=lambda body: (body["at"], body["move"]))


def _delivery(world: World, hook: str, delivery: str) -> Any:
    return integration_keys.delivery(world.owner, hook, delivery)


def test_each_state_change_of_a_job_is_delivered_once(fresh: World) -> None:
    assert fresh.api("POST", "/webhooks", {"url": "https://hooks.example.com/"}).status == 201
    job_id = validated(fresh, TEXT)
    bodies = hear(fresh, job_id)
    assert [(body["type"], body["to"]) for body in bodies] == [
        ("job.queued", "queued/validate"),
        ("job.running", "running/validate"),
        ("job.paused", "paused/process"),
    ]
    assert bodies[-1]["from"] == "running/validate"
    assert bodies[-1]["job"]["state"] == "paused"
    assert bodies[-1]["job"]["filename"] == "novel.txt"
    assert hear(fresh, job_id) == bodies
    finished(fresh, job_id)
    assert hear(fresh, job_id)[-1]["type"] == "job.done"
    assert fresh.api("POST", f"/jobs/{job_id}/reset", {"confirm": True}).status == 204
    assert hear(fresh, job_id)[-1]["type"] == "job.cancelled"


def test_webhook_hears_only_the_states_that_it_wants(fresh: World) -> None:
    settings = {"url": "https://hooks.example.com/", "events": ["JOB_DONE", "JOB_ERROR"]}
    assert fresh.api("POST", "/webhooks", settings).status == 201
    job_id = validated(fresh, " \n")
    bodies = hear(fresh, job_id)
    assert [body["type"] for body in bodies] == ["job.error"]
    assert bodies[0]["job"]["failure"]["error_code"] == "FILE_EMPTY"
    post(fresh, job_id, "validate", {"encoding": "utf-8"})


def test_events_of_a_job_carry_no_text(fresh: World) -> None:
    job_id = validated(fresh, TEXT)
    row = fresh.table.get(job_keys.job(fresh.owner, job_id)) or {}
    assert TEXT.strip() in row["preview"]
    assert all(TEXT.strip() not in event.body(row) for event in fan_out.events_of(row))
