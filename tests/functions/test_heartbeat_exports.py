"""heartbeat: dead exports are started again and failed exports are retried when due."""

from typing import Any

from functions.items_in import PAST, RENDER_FAILED, function_fails, item_in, no_lease_taken, run_together
from functions.room_events import event
from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from support.world import World

EVERY_MINUTE = event("heartbeat", "every_minute")


def run_heartbeat(world: World) -> dict[str, int]:
    with no_lease_taken(world):
        return dict(world.invoke("heartbeat", EVERY_MINUTE))


def export_row(world: World, item_id: str, key: str) -> dict[str, Any]:
    row = world.table.get(item_keys.export("me", item_id, key))
    assert row is not None
    return row


def make_export_due(world: World, item_id: str, key: str) -> None:
    world.table.write(Write(item_keys.export("me", item_id, key), sets={"due_at": PAST}))


def item_with_running_export(world: World) -> str:
    item_id = item_in(world, "READY")
    world.instead["export"] = lambda _call, _event: None
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    del world.instead["export"]
    return item_id


def test_heartbeat_restarts_a_dead_export(idle_world: World) -> None:
    item_id = item_with_running_export(idle_world)
    assert run_heartbeat(idle_world) == {}
    make_export_due(idle_world, item_id, "k")
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"start_again": 1}
    idle_world.settle()
    assert (idle_world.item(item_id)["status"], export_row(idle_world, item_id, "k")["status"]) == ("SHIPPED", "DONE")
    assert "due_at" not in export_row(idle_world, item_id, "k")


def test_export_that_dies_three_times_fails_for_good(idle_world: World) -> None:
    item_id = item_with_running_export(idle_world)
    idle_world.instead["export"] = lambda _call, _event: None
    for restarts in (1, 2):
        make_export_due(idle_world, item_id, "k")
        assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"start_again": 1}
        idle_world.settle()
        assert export_row(idle_world, item_id, "k")["restarts"] == restarts
    make_export_due(idle_world, item_id, "k")
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"give_up": 1}
    del idle_world.instead["export"]
    item, row = idle_world.item(item_id), export_row(idle_world, item_id, "k")
    assert (item["status"], row["status"], row["failure"]["error_code"]) == ("FAILED_EXPORT", "FAILED", "LEASE_EXPIRED")
    assert (item["failure"]["failed_step"], item["failure"]["retryable"]) == ("export", False)
    assert "due_at" not in row
    assert idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]}).status == 202
    idle_world.settle()
    assert idle_world.item(item_id)["status"] == "SHIPPED"


def test_failed_export_is_retried_when_due(idle_world: World) -> None:
    item_id = item_in(idle_world, "READY")
    with function_fails(idle_world, "export", StepFailed("EXPORT_WRITE_FAILED", "The file could not be stored.")):
        idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    failure = idle_world.item(item_id)["failure"]
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)
    assert run_heartbeat(idle_world) == {}
    make_export_due(idle_world, item_id, "k")
    assert idle_world.invoke("heartbeat", EVERY_MINUTE) == {"auto_retry": 1}
    idle_world.settle()
    assert idle_world.item(item_id)["status"] == "SHIPPED"
    assert "failure" not in idle_world.item(item_id)


def test_retried_export_starts_no_pipeline_run(idle_world: World) -> None:
    item_id = item_in(idle_world, "READY")
    run = idle_world.row(item_id)["run_id"]
    with function_fails(idle_world, "export", StepFailed("EXPORT_WRITE_FAILED", "The file could not be stored.")):
        idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
        idle_world.settle()
        make_export_due(idle_world, item_id, "k")
        idle_world.invoke("heartbeat", EVERY_MINUTE)
        idle_world.settle()
    row = idle_world.row(item_id)
    assert (row["status"], row["run_id"], row["attempts"]) == ("FAILED_EXPORT", run, 2)


def test_export_with_a_permanent_failure_is_not_retried(idle_world: World) -> None:
    item_id = item_in(idle_world, "READY")
    with function_fails(idle_world, "export", RENDER_FAILED):
        idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k"})
    assert "due_at" not in export_row(idle_world, item_id, "k")
    assert run_heartbeat(idle_world) == {}


def test_concurrent_heartbeats_give_an_export_up_once(idle_world: World) -> None:
    item_id = item_with_running_export(idle_world)
    idle_world.table.write(Write(item_keys.export("me", item_id, "k"), sets={"due_at": PAST, "restarts": 2}))
    results = run_together(4, lambda _: idle_world.invoke("heartbeat", EVERY_MINUTE))
    assert sum(result.get("give_up", 0) for result in results) == 1
    assert not any("failed" in result for result in results)
    assert [e["to"] for e in idle_world.row(item_id)["history"]].count("FAILED_EXPORT") == 1
