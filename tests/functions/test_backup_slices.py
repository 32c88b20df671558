"""A backup that is interrupted, resumed or run twice gives the same file."""

import json
from collections.abc import Callable
from typing import Any

import backup
import pytest

from functions.backups_in import (
    STATES,
    backup_row,
    backup_with_lost_worker,
    make_overdue,
    new_backup,
    open_backup,
    read_lines,
    request_backup,
)
from functions.room_events import event
from readdo import clock, files
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.transfer import transfer_keys
from readdo.transfer.backup import backup_run
from support.world import World, context


def test_backup_in_small_pieces_has_the_same_content(full_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = open_backup(full_world, new_backup(full_world))
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    monkeypatch.setattr(files, "PART_BYTES", 5 * 1024 * 1024)
    backup_id = new_backup(full_world)
    assert len(backup_row(full_world, backup_id)["so_far"]["pieces"]) >= len(STATES)
    pieces = open_backup(full_world, backup_id)
    assert sorted(pieces.namelist()) == sorted(whole.namelist())
    for name in set(whole.namelist()) - {"readdo.json"}:
        assert pieces.read(name) == whole.read(name)


def time_for_calls(calls: int) -> Callable[[], bool]:
    checks = iter([True] * calls)
    return lambda: next(checks, False)


def test_heartbeat_resumes_a_backup_that_ran_out_of_time(full_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = open_backup(full_world, new_backup(full_world))
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    carry_on = backup_run.carry_on
    monkeypatch.setattr(backup_run, "carry_on", lambda table, now, _left: carry_on(table, now, time_for_calls(4)))
    backup_id = new_backup(full_world)
    assert full_world.api("GET", f"/backups/{backup_id}").json["backup"]["items"] == 3, "and what it is, before all"
    assert backup_row(full_world, backup_id)["status"] == "PAUSED"
    assert full_world.api("GET", f"/backups/{backup_id}").status == 202
    beats = 0
    while backup_row(full_world, backup_id)["status"] == "PAUSED" and beats < 10:
        beats += full_world.heartbeat()["go_on"]
        full_world.settle()
    assert beats == 3, "three of eleven, four, four; and the last look that finds no more"
    archive = open_backup(full_world, backup_id)
    assert {name: archive.read(name) for name in ("items.jsonl", "artifacts.jsonl")} == {
        name: whole.read(name) for name in ("items.jsonl", "artifacts.jsonl")
    }


def test_joining_many_pieces_takes_a_separate_invocation(full_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_run, "JOINED_AT_ONCE", 3)
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    backup_id = new_backup(full_world)
    assert (backup_row(full_world, backup_id)["status"], backup_row(full_world, backup_id)["so_far"]["gathered"]) == (
        "PAUSED",
        True,
    )
    assert full_world.heartbeat()["go_on"] == 1
    full_world.settle()
    assert backup_row(full_world, backup_id)["status"] == "DONE"


def test_dead_backup_is_restarted_and_its_old_worker_writes_nothing(full_world: World) -> None:
    backup_id = backup_with_lost_worker(full_world)
    stale = event("backup", "first_start", backup=backup_id, epoch=1)
    make_overdue(full_world, backup_id)
    assert full_world.heartbeat()["start_again"] == 1
    full_world.settle()
    done = backup_row(full_world, backup_id)
    assert (done["status"], done["epoch"]) == ("DONE", 2)
    with pytest.raises(LeaseLost):
        full_world.invoke("backup", stale)
    assert backup_row(full_world, backup_id) == done


def test_late_worker_loses_its_lease_at_its_next_progress_update(full_world: World) -> None:
    backup_id = backup_with_lost_worker(full_world)
    at = transfer_keys.backup(full_world.owner, backup_id)
    run = backup_run.of(event("backup", "first_start", backup=backup_id, epoch=1))

    def overtaken() -> bool:
        full_world.table.write(Write(at, sets={"epoch": 2}))
        return True

    with pytest.raises(LeaseLost):
        backup_run.carry_on(full_world.table, run, overtaken)
    assert backup_row(full_world, backup_id)["so_far"]["items"] == 0
    full_world.table.write(Write(at, sets={"status": "FAILED"}, removes=("due_at", "due_shard")))


def test_backup_that_dies_four_times_fails_with_a_message(full_world: World) -> None:
    backup_id = backup_with_lost_worker(full_world)
    make_overdue(full_world, backup_id, restarts=3)
    assert full_world.heartbeat()["give_up"] == 1
    response = full_world.api("GET", f"/backups/{backup_id}")
    assert (response.status, response.json["backup"]["status"]) == (200, "FAILED")
    assert "four times" in response.json["backup"]["failure"]["message"]
    assert full_world.api("GET", f"/backups/{backup_id}/file").status == 404


def test_failed_backup_has_a_message_and_the_next_request_starts_another(
    full_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_error(*_: Any, **__: Any) -> Any:
        raise ValueError("the text of somebody")

    monkeypatch.setattr(files, "put_once", raise_error)
    backup_id = new_backup(full_world)
    for _ in range(3):
        assert backup_row(full_world, backup_id)["status"] == "PAUSED"
        make_overdue(full_world, backup_id)
        full_world.heartbeat()
        full_world.settle()
    failed = full_world.api("GET", f"/backups/{backup_id}").json["backup"]
    assert (failed["status"], failed["failure"]["error_code"]) == ("FAILED", "BACKUP_FAILED")
    assert failed["failure"]["message_key"] == "backup.broken_off"
    assert "somebody" not in json.dumps(backup_row(full_world, backup_id))
    monkeypatch.undo()
    again = request_backup(full_world)
    assert again["id"] != backup_id
    full_world.settle()
    assert backup_row(full_world, again["id"])["status"] == "DONE"


def test_backup_pauses_after_an_error_and_resumes_where_it_stopped(
    full_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A resumed backup skips stored pieces, and each progress update resets its restarts."""
    whole = open_backup(full_world, new_backup(full_world))
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    put, calls = files.put_once, iter(range(1000))

    def now_and_then(key: str, body: bytes, content_type: str) -> bytes:
        if next(calls) in (2, 6, 10):
            raise ValueError("SlowDown")
        return put(key, body, content_type)

    monkeypatch.setattr(files, "put_once", now_and_then)
    backup_id = new_backup(full_world)
    rests = []
    while (now := backup_row(full_world, backup_id))["status"] == "PAUSED":
        rests.append((clock.seconds_between(now["updated_at"], now["due_at"]), now["so_far"]["items"]))
        make_overdue(full_world, backup_id)
        full_world.heartbeat()
        full_world.settle()
    assert [seconds for seconds, _ in rests] == [30, 30, 30]
    assert [items for _, items in rests] == sorted({items for _, items in rests})
    assert open_backup(full_world, backup_id).read("items.jsonl") == whole.read("items.jsonl")


def test_second_invocation_of_one_start_loses_its_lease(full_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both invocations hold the same epoch, and neither has finished."""
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    backup_id = backup_with_lost_worker(full_world)
    run = backup_run.of(event("backup", "first_start", backup=backup_id, epoch=1))
    beside: list[bool] = []

    def time_for_pieces(pieces: int) -> Callable[[], bool]:
        remaining = iter(range(pieces))

        def look() -> bool:
            if next(remaining, None) is None:
                raise TimeoutError
            return True

        return look

    def meanwhile() -> bool:
        if not beside:
            beside.append(True)
            with pytest.raises(TimeoutError):
                backup_run.carry_on(full_world.table, run, time_for_pieces(3))
        return True

    with pytest.raises(LeaseLost):
        backup_run.carry_on(full_world.table, run, meanwhile)
    assert backup_row(full_world, backup_id)["so_far"]["items"] == 2
    backup_run.carry_on(full_world.table, run, lambda: True)
    items = read_lines(open_backup(full_world, backup_id), "items")
    assert len(items) == len({line["id"] for line in items}) == backup_row(full_world, backup_id)["so_far"]["items"]


def test_backup_pauses_before_its_time_limit(full_world: World) -> None:
    """The remaining time is less than the function reserves for the piece that it has started."""
    backup_id = backup_with_lost_worker(full_world)
    start_event = event("backup", "first_start", backup=backup_id, epoch=1)
    assert backup.handler(start_event, context("backup", lambda: 59_999)) == start_event
    assert backup_row(full_world, backup_id)["status"] == "PAUSED"
    full_world.heartbeat()
    full_world.settle()
    assert backup_row(full_world, backup_id)["status"] == "DONE"
