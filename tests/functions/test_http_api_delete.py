"""http_api: a deleted item leaves a hidden tombstone until all its data is removed."""

import uuid
from typing import Any

import boto3
import pytest

from functions.error_answers import assert_error
from functions.items_in import (
    CHINESE,
    FUTURE,
    PAST,
    function_fails,
    item_in,
    make_due,
    no_lease_taken,
    queued_item,
    run_together,
    step_event,
    stored_data,
)
from readdo import clock
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.read import exports, inbox, item_commands, item_deletion, item_edits, item_keys, item_transactions
from readdo.store import keys, tokens
from readdo.store.due import overdue
from support.world import TEXT, World

AT_REST = ("CAPTURED", "QUEUED", "READY", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT", "SHIPPED", "ARCHIVED")


def leave_only_the_tombstone(world: World, item_id: str) -> dict[str, Any]:
    """Run the deleting transaction alone, as if the function crashed right after it."""
    command = item_transactions.Command(world.owner, item_id, "delete")
    return item_transactions.carry_out(world.table, command, item_deletion.delete, clock.now())


def remaining_data(world: World, item_id: str) -> tuple[set[str], list[Any], list[Any]]:
    stored = stored_data(world, item_id)
    return set(stored["item"]) - {"pk", "sk"}, stored["inside"], stored["objects"]


def run_two_heartbeats(world: World, item_id: str) -> dict[str, int]:
    """The combined result of two heartbeats."""
    make_due(world, item_id)
    swept = world.heartbeat()
    make_due(world, item_id)
    return swept | world.heartbeat()


TOMBSTONE = {"id", "owner", "due_shard", "due_at", "deleted_at", "last_write"}


@pytest.mark.parametrize("capture", [{"content": TEXT * 20}, CHINESE], ids=["en", "zh"])
def test_delete_leaves_only_the_tombstone(world: World, capture: dict[str, Any]) -> None:
    item_id = item_in(world, "READY", **capture)
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    assert [len(part) > 0 for part in remaining_data(world, item_id)] == [True, True, True]
    answer = world.api("DELETE", f"/items/{item_id}")
    assert (answer.status, answer.text) == (204, "")
    assert remaining_data(world, item_id) == (TOMBSTONE, [], [])


@pytest.mark.parametrize("status", AT_REST)
def test_deleted_item_is_not_listed_and_not_found(world: World, status: str) -> None:
    item_id = item_in(world, status)
    assert world.api("DELETE", f"/items/{item_id}").status == 204
    for sort in inbox.SORTS:
        listed = world.api("GET", f"/items?limit=100&sort={sort}").json["items"]
        assert item_id not in {item["id"] for item in listed}
    card = {"export_key": "fails"}
    calls: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("GET", "?versions=true", None),
        ("GET", "/exports/fails", None),
    ]
    calls += [("GET", "/artifacts/card/1", None), ("PATCH", "", {"title": "x"}), ("PUT", "/artifacts/todos", {})]
    calls += [("DELETE", "", None), ("DELETE", "/artifacts/todos/user", None), ("POST", "/export", card)]
    calls += [("POST", f"/{verb}", None) for verb in ("process", "keep", "ship", "archive", "unarchive")]
    for method, path, body in calls:
        assert_error(world.api(method, f"/items/{item_id}{path}", body, if_match="*"), 404, "NOT_FOUND")
    assert_error(world.api("GET", f"/exports/{item_id}/fails/card.md"), 404, "NOT_FOUND")
    assert set(world.row(item_id)) - {"pk", "sk"} == TOMBSTONE


def test_heartbeat_sweeps_and_then_removes_a_due_tombstone(idle_world: World) -> None:
    item_id = item_in(idle_world, "READY")
    leave_only_the_tombstone(idle_world, item_id)
    assert idle_world.heartbeat() == {}
    assert remaining_data(idle_world, item_id)[1]
    make_due(idle_world, item_id)
    assert idle_world.heartbeat() == {"sweep_away": 1}
    assert remaining_data(idle_world, item_id) == (TOMBSTONE | {"swept_at"}, [], [])
    assert idle_world.heartbeat() == {}, "whoever saw it unswept may still be at it"
    make_due(idle_world, item_id)
    assert idle_world.heartbeat() == {"bury": 1}
    assert idle_world.table.get(item_keys.item("me", item_id)) is None
    assert not idle_world.table.query(keys.partition(item_keys.item_partition("me", item_id))).rows
    assert idle_world.heartbeat() == {}


def test_tombstone_outlives_leases_and_exports(world: World) -> None:
    item_id = item_in(world, "READY")
    before = clock.now()
    world.api("DELETE", f"/items/{item_id}")
    assert clock.after(before, 900) <= world.row(item_id)["due_at"] <= clock.after(clock.now(), 900)


def test_delete_removes_more_rows_than_one_batch_write_takes(world: World) -> None:
    item_id = item_in(world, "READY")
    for n in range(60):
        world.table.write(Write(item_keys.older_history("me", item_id, n), "put", row={"entries": []}))
    world.api("DELETE", f"/items/{item_id}")
    assert remaining_data(world, item_id) == (TOMBSTONE, [], [])


def test_delete_leaves_other_items_unchanged(world: World) -> None:
    deleted, other = item_in(world, "READY", content=TEXT * 20), item_in(world, "READY", content=TEXT * 20)
    before = stored_data(world, other)
    world.api("DELETE", f"/items/{deleted}")
    assert stored_data(world, other) == before


# ── work that arrives at a tombstone ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", ["lease", "extract", "summarize", "score", "todos", "card", "gate", "record_failure"])
def test_late_step_of_a_deleted_item_writes_nothing(world: World, step: str) -> None:
    item_id = queued_item(world)
    case = {"lease": "first_start", "record_failure": "no_article"}.get(step, "in_turn")
    late = step_event(world, item_id, step, case)
    world.api("DELETE", f"/items/{item_id}")
    before = stored_data(world, item_id)
    with pytest.raises(LeaseLost):
        world.invoke(step, late)
    assert stored_data(world, item_id) == before


def test_queued_execution_of_a_deleted_item_succeeds(world: World) -> None:
    def delete_first(call: Any, event: dict[str, Any]) -> Any:
        world.api("DELETE", f"/items/{event['item']}")
        return call(event)

    world.instead["lease"] = delete_first
    item_id = world.capture()
    world.settle()
    del world.instead["lease"]
    assert remaining_data(world, item_id) == (TOMBSTONE, [], [])
    assert world.executions()[0]["status"] == "SUCCEEDED"


@pytest.mark.parametrize("swept", [True, False], ids=["swept", "not yet swept"])
def test_running_export_of_a_deleted_item_ends_and_its_files_are_removed(idle_world: World, swept: bool) -> None:
    item_id = item_in(idle_world, "READY")

    def delete_first(call: Any, event: dict[str, Any]) -> Any:
        if swept:
            idle_world.api("DELETE", f"/items/{item_id}")
        else:
            leave_only_the_tombstone(idle_world, item_id)
        return call(event)

    idle_world.instead["export"] = delete_first
    idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    idle_world.settle()
    del idle_world.instead["export"]
    assert idle_world.executions("ExportMachineArn")[0]["status"] == "SUCCEEDED"
    assert set(idle_world.row(item_id)) - {"pk", "sk"} == TOMBSTONE
    assert_error(
        idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]}), 404, "NOT_FOUND"
    )
    assert_error(idle_world.api("GET", f"/exports/{item_id}/k/card.md"), 404, "NOT_FOUND")
    assert run_two_heartbeats(idle_world, item_id)["bury"] == 1
    listed = boto3.client("s3").list_objects_v2(
        Bucket=idle_world.outputs["BucketName"], Prefix=f"exports/me/{item_id}/"
    )
    assert listed["KeyCount"] == 0
    assert not idle_world.table.query(keys.partition(item_keys.item_partition("me", item_id))).rows


def test_failed_export_of_a_deleted_item_is_not_retried(idle_world: World) -> None:
    item_id = item_in(idle_world, "READY")
    with function_fails(idle_world, "export", RuntimeError("crash")):
        idle_world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    leave_only_the_tombstone(idle_world, item_id)
    key = item_keys.export("me", item_id, "k")
    idle_world.table.write(Write(key, sets={"due_at": PAST}))
    assert idle_world.heartbeat() == {"let_be": 1}
    row = idle_world.table.get(key)
    assert row is not None
    assert (row["status"], "due_at" in row) == ("FAILED", False)


# ── the capture's key and page ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("content", [TEXT, CHINESE["content"]], ids=["en", "zh"])
def test_capture_id_of_a_deleted_item_conflicts_until_its_tombstone_is_removed(idle_world: World, content: str) -> None:
    body = {"intent_text": "read it", "content": content, "capture_id": str(uuid.uuid4()), "process": False}
    first = idle_world.api("POST", "/capture", body).json["item"]["id"]
    idle_world.api("DELETE", f"/items/{first}")
    assert_error(idle_world.api("POST", "/capture", body), 409, "STATE_CONFLICT")
    assert set(idle_world.row(first)) - {"pk", "sk"} == TOMBSTONE
    run_two_heartbeats(idle_world, first)
    answers = run_together(4, lambda _: idle_world.api("POST", "/capture", body))
    assert sorted(answer.status for answer in answers) == [200, 200, 200, 201]
    (second,) = {answer.json["item"]["id"] for answer in answers}
    assert second != first
    assert idle_world.table.get(item_keys.item("me", first)) is None


def test_page_of_a_deleted_item_can_be_captured_at_once(world: World) -> None:
    body = {"intent_text": "read it", "url": f"https://example.org/{uuid.uuid4()}", "process": False}
    first = world.api("POST", "/capture", body).json["item"]["id"]
    world.api("DELETE", f"/items/{first}")
    again = world.api("POST", "/capture", body)
    assert (again.status, "joined" in again.json) == (201, False)
    third = world.api("POST", "/capture", body)
    assert (third.status, third.json["item"]["id"]) == (200, again.json["item"]["id"])


def test_page_stays_with_the_first_item_when_the_second_is_deleted(world: World) -> None:
    body = {"intent_text": "read it", "url": f"https://example.org/{uuid.uuid4()}", "process": False}
    first = world.api("POST", "/capture", body).json["item"]["id"]
    second = world.api("POST", "/capture", {**body, "on_duplicate": "new"}).json["item"]["id"]
    world.api("DELETE", f"/items/{second}")
    assert world.api("POST", "/capture", body).json["item"]["id"] == first != second


# ── at once ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_concurrent_deletes_delete_once(world: World) -> None:
    item_id = item_in(world, "READY")
    statuses = run_together(8, lambda _: world.api("DELETE", f"/items/{item_id}").status)
    assert sorted(statuses) == [204] + [404] * 7


def test_concurrent_deletes_with_one_key_all_succeed(world: World) -> None:
    item_id = item_in(world, "READY")
    statuses = run_together(8, lambda _: world.api("DELETE", f"/items/{item_id}", key="delete-once").status)
    assert statuses == [204] * 8
    assert remaining_data(world, item_id) == (TOMBSTONE, [], [])
    assert world.api("DELETE", f"/items/{item_id}", key="delete-once").status == 204
    assert_error(
        world.api("DELETE", f"/items/{item_in(world, 'READY')}", key="delete-once"), 422, "IDEMPOTENCY_KEY_REUSED"
    )


RIVALS = {
    "process": lambda w, i: execute_command(w, i, "process", item_commands.requeue("regenerate")),
    "patch": lambda w, i: execute_command(w, i, "patch", item_edits.patch({"title": "Another"}, "*")),
    "export": lambda w, i: exports.request_export(
        w.table, "me", i, exports.ExportRequest("race", ("md",)), clock.now()
    ),
    "join": lambda w, i: w.api("POST", "/capture", {"intent_text": "again", "url": w.row(i).get("url", "")}),
}


def execute_command(world: World, item_id: str, name: str, build: item_transactions.Build) -> Any:
    return item_transactions.carry_out(world.table, item_transactions.Command("me", item_id, name), build, clock.now())


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("round_", range(3))
def test_delete_wins_over_concurrent_calls(world: World, rival: str, round_: int) -> None:
    page = f"https://example.org/{rival}/{round_}"
    item_id = item_in(world, "READY", url=page, content=TEXT) if rival == "join" else item_in(world, "READY")

    def call(n: int) -> Any:
        if n % 2:
            return RIVALS[rival](world, item_id)
        return world.api("DELETE", f"/items/{item_id}").status

    with no_lease_taken(world):
        results = run_together(4, call)
    world.settle()
    assert sorted(results[::2]) == [204, 404]
    assert set(world.row(item_id)) - {"pk", "sk"} == TOMBSTONE
    assert not [answer for answer in results[1::2] if getattr(answer, "status", 0) == 500]
    assert item_id not in {work.key.sk for work in overdue(world.table, clock.now())}
    assert FUTURE > world.row(item_id)["due_at"] > clock.now()
    assert_error(world.api("GET", f"/items/{item_id}"), 404, "NOT_FOUND")


def test_list_with_many_tombstones_has_full_pages(world: World) -> None:
    mine = tokens.issue(world.table, "keeper", "list")
    body = {"intent_text": "read it", "content": TEXT, "process": False}
    ids = sorted(world.api("POST", "/capture", body, token=mine).json["item"]["id"] for _ in range(3))
    for n in range(130):
        row = {"id": f"{ids[1][:-3]}{n:03}", "owner": "keeper", "deleted_at": PAST, "due_at": FUTURE}
        world.table.write(Write(item_keys.item("keeper", row["id"]), "put", row=row))
    path = "/items?sort=created_desc&limit=2"
    first_page = world.api("GET", path, token=mine).json
    second_page = world.api("GET", f"{path}&cursor={first_page['next_cursor']}", token=mine).json
    assert [item["id"] for page in (first_page, second_page) for item in page["items"]] == ids[::-1]
    assert (len(first_page["items"]), second_page["next_cursor"]) == (2, None)
