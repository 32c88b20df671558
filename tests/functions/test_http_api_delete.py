"""http_api: a deleted item leaves a tombstone that nobody sees and nothing can wake, until the last of it is swept."""

import uuid
from typing import Any

import boto3
import pytest
from error_answers import told
from items_in import (
    CHINESE,
    FUTURE,
    PAST,
    at_once,
    everything,
    in_turn,
    is_due,
    item_in,
    queued,
    stays_queued,
    stopped,
)

from readdo import clock
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.read import exports, item_commands, item_deletion, item_edits, item_transactions
from readdo.store import inbox, keys, tokens
from readdo.store.due import overdue
from support.world import TEXT, World

AT_REST = ("CAPTURED", "QUEUED", "READY", "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT", "SHIPPED", "ARCHIVED")


def only_the_tombstone(world: World, item_id: str) -> dict[str, Any]:
    """The deleting transaction alone, as if the function died right after it."""
    asked = item_transactions.Command(world.owner, item_id, "delete")
    return item_transactions.carry_out(world.table, asked, item_deletion.delete, clock.now())


def left_of(world: World, item_id: str) -> tuple[set[str], list[Any], list[Any]]:
    found = everything(world, item_id)
    return set(found["item"]) - {"pk", "sk"}, found["inside"], found["objects"]


def bury(world: World, item_id: str) -> dict[str, int]:
    """What both heartbeats did."""
    is_due(world, item_id)
    swept = world.heartbeat()
    is_due(world, item_id)
    return swept | world.heartbeat()


TOMBSTONE = {"id", "owner", "due_shard", "due_at", "deleted_at", "last_write"}


@pytest.mark.parametrize("capture", [{"content": TEXT * 20}, CHINESE], ids=["en", "zh"])
def test_nothing_of_a_shipped_item_is_left_but_its_tombstone(shared: World, capture: dict[str, Any]) -> None:
    item_id = item_in(shared, "READY", **capture)
    shared.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    shared.settle()
    assert [len(part) > 0 for part in left_of(shared, item_id)] == [True, True, True]
    answer = shared.api("DELETE", f"/items/{item_id}")
    assert (answer.status, answer.text) == (204, "")
    assert left_of(shared, item_id) == (TOMBSTONE, [], [])


@pytest.mark.parametrize("status", AT_REST)
def test_a_deleted_item_is_in_no_list_and_behind_no_link(shared: World, status: str) -> None:
    item_id = item_in(shared, status)
    assert shared.api("DELETE", f"/items/{item_id}").status == 204
    for sort in inbox.SORTS:
        listed = shared.api("GET", f"/items?limit=100&sort={sort}").json["items"]
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
        told(shared.api(method, f"/items/{item_id}{path}", body, if_match="*"), 404, "NOT_FOUND")
    told(shared.api("GET", f"/exports/{item_id}/fails/card.md"), 404, "NOT_FOUND")
    assert set(shared.row(item_id)) - {"pk", "sk"} == TOMBSTONE


def test_the_heartbeat_buries_a_tombstone_only_once_it_is_due_and_then_whole(quiet: World) -> None:
    item_id = item_in(quiet, "READY")
    only_the_tombstone(quiet, item_id)
    assert quiet.heartbeat() == {}
    assert left_of(quiet, item_id)[1]
    is_due(quiet, item_id)
    assert quiet.heartbeat() == {"sweep_away": 1}
    assert left_of(quiet, item_id) == (TOMBSTONE | {"swept_at"}, [], [])
    assert quiet.heartbeat() == {}, "whoever saw it unswept may still be at it"
    is_due(quiet, item_id)
    assert quiet.heartbeat() == {"bury": 1}
    assert quiet.table.get(keys.item("me", item_id)) is None
    assert not quiet.table.query(keys.partition(keys.inside("me", item_id))).rows
    assert quiet.heartbeat() == {}


def test_a_tombstone_stays_as_long_as_a_lease_or_an_export_may_live(shared: World) -> None:
    item_id = item_in(shared, "READY")
    before = clock.now()
    shared.api("DELETE", f"/items/{item_id}")
    assert clock.after(before, 900) <= shared.row(item_id)["due_at"] <= clock.after(clock.now(), 900)


def test_more_rows_than_one_batch_takes_are_swept_away(shared: World) -> None:
    item_id = item_in(shared, "READY")
    for n in range(60):
        shared.table.write(Write(keys.older_history("me", item_id, n), "put", row={"entries": []}))
    shared.api("DELETE", f"/items/{item_id}")
    assert left_of(shared, item_id) == (TOMBSTONE, [], [])


def test_a_neighbour_loses_nothing(shared: World) -> None:
    gone, other = item_in(shared, "READY", content=TEXT * 20), item_in(shared, "READY", content=TEXT * 20)
    before = everything(shared, other)
    shared.api("DELETE", f"/items/{gone}")
    assert everything(shared, other) == before


# ── work that arrives at a tombstone ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("room", ["lease", "extract", "summarize", "score", "todos", "card", "gate", "record_failure"])
def test_a_run_that_arrives_late_leaves_quietly_and_writes_nothing(shared: World, room: str) -> None:
    item_id = queued(shared)
    case = {"lease": "first_start", "record_failure": "no_article"}.get(room, "in_turn")
    late = in_turn(shared, item_id, room, case)
    shared.api("DELETE", f"/items/{item_id}")
    before = everything(shared, item_id)
    with pytest.raises(LeaseLost):
        shared.invoke(room, late)
    assert everything(shared, item_id) == before


def test_an_execution_that_was_queued_ends_without_a_failure(shared: World) -> None:
    def delete_first(call: Any, event: dict[str, Any]) -> Any:
        shared.api("DELETE", f"/items/{event['item']}")
        return call(event)

    shared.instead["lease"] = delete_first
    item_id = shared.capture()
    shared.settle()
    del shared.instead["lease"]
    assert left_of(shared, item_id) == (TOMBSTONE, [], [])
    assert shared.executions()[0]["status"] == "SUCCEEDED"


@pytest.mark.parametrize("swept", [True, False], ids=["swept", "not yet swept"])
def test_an_export_that_was_on_its_way_ends_and_its_files_go_with_the_tombstone(quiet: World, swept: bool) -> None:
    item_id = item_in(quiet, "READY")

    def delete_first(call: Any, event: dict[str, Any]) -> Any:
        if swept:
            quiet.api("DELETE", f"/items/{item_id}")
        else:
            only_the_tombstone(quiet, item_id)
        return call(event)

    quiet.instead["export"] = delete_first
    quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    quiet.settle()
    del quiet.instead["export"]
    assert quiet.executions("ExportMachineArn")[0]["status"] == "SUCCEEDED"
    assert set(quiet.row(item_id)) - {"pk", "sk"} == TOMBSTONE
    told(quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]}), 404, "NOT_FOUND")
    told(quiet.api("GET", f"/exports/{item_id}/k/card.md"), 404, "NOT_FOUND")
    assert bury(quiet, item_id)["bury"] == 1
    listed = boto3.client("s3").list_objects_v2(Bucket=quiet.outputs["BucketName"], Prefix=f"exports/me/{item_id}/")
    assert listed["KeyCount"] == 0
    assert not quiet.table.query(keys.partition(keys.inside("me", item_id))).rows


def test_a_failed_export_is_not_tried_again_for_a_tombstone(quiet: World) -> None:
    item_id = item_in(quiet, "READY")
    with stopped(quiet, "export", RuntimeError("crash")):
        quiet.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    only_the_tombstone(quiet, item_id)
    key = keys.export("me", item_id, "k")
    quiet.table.write(Write(key, sets={"due_at": PAST}))
    assert quiet.heartbeat() == {"let_be": 1}
    row = quiet.table.get(key)
    assert row is not None
    assert (row["status"], "due_at" in row) == ("FAILED", False)


# ── the capture's key and page ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("content", [TEXT, CHINESE["content"]], ids=["en", "zh"])
def test_a_capture_id_of_a_deleted_item_waits_for_its_burial_and_then_is_a_new_item(quiet: World, content: str) -> None:
    body = {"intent_text": "read it", "content": content, "capture_id": str(uuid.uuid4()), "process": False}
    first = quiet.api("POST", "/capture", body).json["item"]["id"]
    quiet.api("DELETE", f"/items/{first}")
    told(quiet.api("POST", "/capture", body), 409, "STATE_CONFLICT")
    assert set(quiet.row(first)) - {"pk", "sk"} == TOMBSTONE
    bury(quiet, first)
    found = at_once(4, lambda _: quiet.api("POST", "/capture", body))
    assert sorted(answer.status for answer in found) == [200, 200, 200, 201]
    (second,) = {answer.json["item"]["id"] for answer in found}
    assert second != first
    assert quiet.table.get(keys.item("me", first)) is None


def test_the_page_of_a_deleted_item_is_free_at_once(shared: World) -> None:
    body = {"intent_text": "read it", "url": f"https://example.org/{uuid.uuid4()}", "process": False}
    first = shared.api("POST", "/capture", body).json["item"]["id"]
    shared.api("DELETE", f"/items/{first}")
    again = shared.api("POST", "/capture", body)
    assert (again.status, "joined" in again.json) == (201, False)
    third = shared.api("POST", "/capture", body)
    assert (third.status, third.json["item"]["id"]) == (200, again.json["item"]["id"])


def test_deleting_the_second_item_of_a_page_leaves_the_page_to_the_first(shared: World) -> None:
    body = {"intent_text": "read it", "url": f"https://example.org/{uuid.uuid4()}", "process": False}
    first = shared.api("POST", "/capture", body).json["item"]["id"]
    second = shared.api("POST", "/capture", {**body, "on_duplicate": "new"}).json["item"]["id"]
    shared.api("DELETE", f"/items/{second}")
    assert shared.api("POST", "/capture", body).json["item"]["id"] == first != second


# ── at once ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_deletes_at_once_delete_once(shared: World) -> None:
    item_id = item_in(shared, "READY")
    found = at_once(8, lambda _: shared.api("DELETE", f"/items/{item_id}").status)
    assert sorted(found) == [204] + [404] * 7


def test_deletes_at_once_with_one_key_are_all_told_that_it_is_done(shared: World) -> None:
    item_id = item_in(shared, "READY")
    found = at_once(8, lambda _: shared.api("DELETE", f"/items/{item_id}", key="delete-once").status)
    assert found == [204] * 8
    assert left_of(shared, item_id) == (TOMBSTONE, [], [])
    assert shared.api("DELETE", f"/items/{item_id}", key="delete-once").status == 204
    told(shared.api("DELETE", f"/items/{item_in(shared, 'READY')}", key="delete-once"), 422, "IDEMPOTENCY_KEY_REUSED")


RIVALS = {
    "process": lambda w, i: carry(w, i, "process", item_commands.requeue("regenerate")),
    "patch": lambda w, i: carry(w, i, "patch", item_edits.patch({"title": "Another"}, "*")),
    "export": lambda w, i: exports.request_export(
        w.table, "me", i, exports.ExportRequest("race", ("md",)), clock.now()
    ),
    "join": lambda w, i: w.api("POST", "/capture", {"intent_text": "again", "url": w.row(i).get("url", "")}),
}


def carry(world: World, item_id: str, name: str, build: item_transactions.Build) -> Any:
    return item_transactions.carry_out(world.table, item_transactions.Command("me", item_id, name), build, clock.now())


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("round_", range(3))
def test_a_delete_wins_over_whatever_comes_at_the_same_time(shared: World, rival: str, round_: int) -> None:
    page = f"https://example.org/{rival}/{round_}"
    item_id = item_in(shared, "READY", url=page, content=TEXT) if rival == "join" else item_in(shared, "READY")

    def one(n: int) -> Any:
        if n % 2:
            return RIVALS[rival](shared, item_id)
        return shared.api("DELETE", f"/items/{item_id}").status

    with stays_queued(shared):
        found = at_once(4, one)
    shared.settle()
    assert sorted(found[::2]) == [204, 404]
    assert set(shared.row(item_id)) - {"pk", "sk"} == TOMBSTONE
    assert not [answer for answer in found[1::2] if getattr(answer, "status", 0) == 500]
    assert item_id not in {work.key.sk for work in overdue(shared.table, clock.now())}
    assert FUTURE > shared.row(item_id)["due_at"] > clock.now()
    told(shared.api("GET", f"/items/{item_id}"), 404, "NOT_FOUND")


def test_a_list_with_many_tombstones_in_it_still_has_full_pages(shared: World) -> None:
    mine = tokens.issue(shared.table, "keeper", "list")
    body = {"intent_text": "read it", "content": TEXT, "process": False}
    made = sorted(shared.api("POST", "/capture", body, token=mine).json["item"]["id"] for _ in range(3))
    for n in range(130):
        row = {"id": f"{made[1][:-3]}{n:03}", "owner": "keeper", "deleted_at": PAST, "due_at": FUTURE}
        shared.table.write(Write(keys.item("keeper", row["id"]), "put", row=row))
    found = shared.api("GET", "/items?sort=created_desc&limit=2", token=mine).json
    rest = shared.api("GET", f"/items?sort=created_desc&limit=2&cursor={found['next_cursor']}", token=mine).json
    assert [item["id"] for page in (found, rest) for item in page["items"]] == made[::-1]
    assert (len(found["items"]), rest["next_cursor"]) == (2, None)
