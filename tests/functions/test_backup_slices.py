"""A backup in slices: in pieces, paused, broken off, dead, late, twice; what comes out is the same."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import backup
import pytest
from backups_in import STATES, asked, lines, lost, made_anew, opened, overdue, row
from room_events import event

from readdo import clock, files
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.read import backup_run
from readdo.store import keys
from support.world import World


def test_in_many_small_pieces_it_says_the_same(full: World, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = opened(full, made_anew(full))
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    monkeypatch.setattr(files, "PART_BYTES", 5 * 1024 * 1024)
    backup_id = made_anew(full)
    assert len(row(full, backup_id)["so_far"]["pieces"]) >= len(STATES)
    pieces = opened(full, backup_id)
    assert sorted(pieces.namelist()) == sorted(whole.namelist())
    for name in set(whole.namelist()) - {"readdo.json"}:
        assert pieces.read(name) == whole.read(name)


def hurried(calls: int) -> Callable[[], bool]:
    left = iter([True] * calls)
    return lambda: next(left, False)


def test_when_its_time_is_up_the_heartbeat_goes_on_where_it_stopped(
    full: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = opened(full, made_anew(full))
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    carry_on = backup_run.carry_on
    monkeypatch.setattr(backup_run, "carry_on", lambda table, now, _left: carry_on(table, now, hurried(4)))
    backup_id = made_anew(full)
    assert full.api("GET", f"/backups/{backup_id}").json["backup"]["items"] == 3, "and what it is, before all"
    assert row(full, backup_id)["status"] == "PAUSED"
    assert full.api("GET", f"/backups/{backup_id}").status == 202
    beats = 0
    while row(full, backup_id)["status"] == "PAUSED" and beats < 10:
        beats += full.heartbeat()["go_on"]
        full.settle()
    assert beats == 3, "three of eleven, four, four; and the last look that finds no more"
    found = opened(full, backup_id)
    assert {name: found.read(name) for name in ("items.jsonl", "artifacts.jsonl")} == {
        name: whole.read(name) for name in ("items.jsonl", "artifacts.jsonl")
    }


def test_of_many_pieces_the_joining_is_a_slice_of_its_own(full: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_run, "JOINED_AT_ONCE", 3)
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    backup_id = made_anew(full)
    assert (row(full, backup_id)["status"], row(full, backup_id)["so_far"]["gathered"]) == ("PAUSED", True)
    assert full.heartbeat()["go_on"] == 1
    full.settle()
    assert row(full, backup_id)["status"] == "DONE"


def test_one_whose_worker_died_is_started_again_and_the_dead_one_writes_nothing(full: World) -> None:
    backup_id = lost(full)
    stale = event("backup", "first_start", backup=backup_id, epoch=1)
    overdue(full, backup_id)
    assert full.heartbeat()["start_again"] == 1
    full.settle()
    done = row(full, backup_id)
    assert (done["status"], done["epoch"]) == ("DONE", 2)
    with pytest.raises(LeaseLost):
        full.invoke("backup", stale)
    assert row(full, backup_id) == done


def test_a_late_worker_that_still_gathers_is_refused_at_its_next_note(full: World) -> None:
    backup_id = lost(full)
    at = keys.backup(full.owner, backup_id)
    run = backup_run.of(event("backup", "first_start", backup=backup_id, epoch=1))

    def overtaken() -> bool:
        full.table.write(Write(at, sets={"epoch": 2}))
        return True

    with pytest.raises(LeaseLost):
        backup_run.carry_on(full.table, run, overtaken)
    assert row(full, backup_id)["so_far"]["items"] == 0
    full.table.write(Write(at, sets={"status": "FAILED"}, removes=("due_at", "due_shard")))


def test_one_that_dies_four_times_is_given_up_in_words(full: World) -> None:
    backup_id = lost(full)
    overdue(full, backup_id, restarts=3)
    assert full.heartbeat()["give_up"] == 1
    shown = full.api("GET", f"/backups/{backup_id}")
    assert (shown.status, shown.json["backup"]["status"]) == (200, "FAILED")
    assert "four times" in shown.json["backup"]["failure"]["message"]
    assert full.api("GET", f"/backups/{backup_id}/file").status == 404


def test_one_that_breaks_says_so_and_the_next_wish_makes_another(full: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ValueError("the text of somebody")

    monkeypatch.setattr(files, "put_once", broken)
    backup_id = made_anew(full)
    for _ in range(3):
        assert row(full, backup_id)["status"] == "PAUSED"
        overdue(full, backup_id)
        full.heartbeat()
        full.settle()
    shown = full.api("GET", f"/backups/{backup_id}").json["backup"]
    assert (shown["status"], shown["failure"]["error_code"]) == ("FAILED", "BACKUP_FAILED")
    assert "Ask for another" in shown["failure"]["message"]
    assert "somebody" not in json.dumps(row(full, backup_id))
    monkeypatch.undo()
    again = asked(full)
    assert again["id"] != backup_id
    full.settle()
    assert row(full, again["id"])["status"] == "DONE"


def test_one_that_breaks_once_rests_and_goes_on_where_it_was(full: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was noted is not gathered again, and a note gives it all its tries back."""
    whole = opened(full, made_anew(full))
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    put, calls = files.put_once, iter(range(1000))

    def now_and_then(key: str, body: bytes, content_type: str) -> bytes:
        if next(calls) in (2, 6, 10):
            raise ValueError("SlowDown")
        return put(key, body, content_type)

    monkeypatch.setattr(files, "put_once", now_and_then)
    backup_id = made_anew(full)
    rests = []
    while (now := row(full, backup_id))["status"] == "PAUSED":
        rests.append((clock.seconds_between(now["updated_at"], now["due_at"]), now["so_far"]["items"]))
        overdue(full, backup_id)
        full.heartbeat()
        full.settle()
    assert [seconds for seconds, _ in rests] == [30, 30, 30]
    assert [items for _, items in rests] == sorted({items for _, items in rests})
    assert opened(full, backup_id).read("items.jsonl") == whole.read("items.jsonl")


def test_of_two_invocations_of_one_start_one_is_refused_by_what_the_other_noted(
    full: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both hold the epoch, and neither is at its end."""
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 1)
    backup_id = lost(full)
    run = backup_run.of(event("backup", "first_start", backup=backup_id, epoch=1))
    beside: list[bool] = []

    def for_a_piece(pieces: int) -> Callable[[], bool]:
        left = iter(range(pieces))

        def look() -> bool:
            if next(left, None) is None:
                raise TimeoutError
            return True

        return look

    def meanwhile() -> bool:
        if not beside:
            beside.append(True)
            with pytest.raises(TimeoutError):
                backup_run.carry_on(full.table, run, for_a_piece(3))
        return True

    with pytest.raises(LeaseLost):
        backup_run.carry_on(full.table, run, meanwhile)
    assert row(full, backup_id)["so_far"]["items"] == 2
    backup_run.carry_on(full.table, run, lambda: True)
    found = lines(opened(full, backup_id), "items")
    assert len(found) == len({line["id"] for line in found}) == row(full, backup_id)["so_far"]["items"]


def test_the_room_stops_in_time(full: World) -> None:
    """With less time left than it keeps for what it has begun."""
    backup_id = lost(full)
    given = event("backup", "first_start", backup=backup_id, epoch=1)
    context = SimpleNamespace(get_remaining_time_in_millis=lambda: 59_999)
    assert backup.handler(given, context) == given
    assert row(full, backup_id)["status"] == "PAUSED"
    full.heartbeat()
    full.settle()
    assert row(full, backup_id)["status"] == "DONE"
