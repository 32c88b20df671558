"""heartbeat and exports: one that died is started again, one that failed is repeated, each at its time."""

from typing import Any

from items_in import NOT_DRAWN, PAST, at_once, item_in, stays_queued, stopped
from room_events import event

from readdo import clock
from readdo.errors import StepFailed
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World

EVERY_MINUTE = event("heartbeat", "every_minute")


def swept(world: World) -> dict[str, int]:
    with stays_queued(world):
        return dict(world.invoke("heartbeat", EVERY_MINUTE))


def export_row(world: World, item_id: str, key: str) -> dict[str, Any]:
    row = world.table.get(keys.export("me", item_id, key))
    assert row is not None
    return row


def export_is_due(world: World, item_id: str, key: str) -> None:
    world.table.write(Write(keys.export("me", item_id, key), sets={"due_at": PAST}))


def running_export(world: World) -> str:
    item_id = item_in(world, "READY")
    world.instead["export"] = lambda _call, _event: None
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    del world.instead["export"]
    return item_id


def test_an_export_that_died_is_carried_out_by_the_next_beat(quiet: World) -> None:
    item_id = running_export(quiet)
    assert swept(quiet) == {}
    export_is_due(quiet, item_id, "k")
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"start_again": 1}
    quiet.settle()
    assert (quiet.item(item_id)["status"], export_row(quiet, item_id, "k")["status"]) == ("SHIPPED", "DONE")
    assert "due_at" not in export_row(quiet, item_id, "k")


def test_an_export_that_dies_three_times_fails_and_waits_for_the_user(quiet: World) -> None:
    item_id = running_export(quiet)
    quiet.instead["export"] = lambda _call, _event: None
    for restarts in (1, 2):
        export_is_due(quiet, item_id, "k")
        assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"start_again": 1}
        quiet.settle()
        assert export_row(quiet, item_id, "k")["restarts"] == restarts
    export_is_due(quiet, item_id, "k")
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"give_up": 1}
    del quiet.instead["export"]
    item, row = quiet.item(item_id), export_row(quiet, item_id, "k")
    assert (item["status"], row["status"], row["failure"]["error_code"]) == ("FAILED_EXPORT", "FAILED", "LEASE_EXPIRED")
    assert (item["failure"]["failed_step"], item["failure"]["retryable"]) == ("export", False)
    assert "due_at" not in row
    assert quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]}).status == 202
    quiet.settle()
    assert quiet.item(item_id)["status"] == "SHIPPED"


def test_a_failed_export_is_repeated_after_its_time_and_not_before(quiet: World) -> None:
    item_id = item_in(quiet, "READY")
    with stopped(quiet, "export", StepFailed("EXPORT_WRITE_FAILED", "The file could not be stored.")):
        quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    failure = quiet.item(item_id)["failure"]
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)
    assert swept(quiet) == {}
    export_is_due(quiet, item_id, "k")
    assert quiet.invoke("heartbeat", EVERY_MINUTE) == {"auto_retry": 1}
    quiet.settle()
    assert quiet.item(item_id)["status"] == "SHIPPED"
    assert "failure" not in quiet.item(item_id)


def test_a_failed_export_is_never_repeated_as_a_new_run_of_the_pipeline(quiet: World) -> None:
    item_id = item_in(quiet, "READY")
    run = quiet.row(item_id)["run_id"]
    with stopped(quiet, "export", StepFailed("EXPORT_WRITE_FAILED", "The file could not be stored.")):
        quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
        quiet.settle()
        export_is_due(quiet, item_id, "k")
        quiet.invoke("heartbeat", EVERY_MINUTE)
        quiet.settle()
    row = quiet.row(item_id)
    assert (row["status"], row["run_id"], row["attempts"]) == ("FAILED_EXPORT", run, 2)


def test_an_export_that_cannot_be_helped_is_not_repeated(quiet: World) -> None:
    item_id = item_in(quiet, "READY")
    with stopped(quiet, "export", NOT_DRAWN):
        quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k"})
    assert "due_at" not in export_row(quiet, item_id, "k")
    assert swept(quiet) == {}


def test_sweeps_at_once_give_an_export_up_once_and_none_calls_that_an_error(quiet: World) -> None:
    item_id = running_export(quiet)
    quiet.table.write(Write(keys.export("me", item_id, "k"), sets={"due_at": PAST, "restarts": 2}))
    found = at_once(4, lambda _: quiet.invoke("heartbeat", EVERY_MINUTE))
    assert sum(done.get("give_up", 0) for done in found) == 1
    assert not any("failed" in done for done in found)
    assert [e["to"] for e in quiet.row(item_id)["history"]].count("FAILED_EXPORT") == 1
