"""A restore beside what takes time: the day that an offer waits, and an item that is being deleted."""

from typing import Any

import pytest
from items_in import PAST
from restores_in import anybody, restored, shown

from readdo import clock, files
from readdo.errors import StepFailed
from readdo.lifecycle.advance import Move
from readdo.lifecycle.write import Write
from readdo.read import restore_run
from readdo.store import keys
from support.world import World


def test_one_that_was_started_does_not_end_with_its_offer(
    lived: World, taken_out: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started in the last minute of the day that its offer is good for, and broken off."""
    token = anybody(lived, "patient")
    monkeypatch.setitem(lived.instead, "restore", lambda *_: {"error": 1})
    told = restored(lived, taken_out, token)
    row = lived.table.get(keys.restore("patient", told["id"])) or {}
    assert row["status"] == "RUNNING" and not {"expires_at", "expires"} & set(row)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 25 * 3600))
    assert lived.api("GET", f"/restores/{told['id']}", token=token).json["restore"]["status"] == "RUNNING"


def test_what_a_restore_of_a_newer_backup_has_left_does_not_come_between(
    lived: World, taken_out: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An item was edited, and taken out again; that was brought back and broke off, and then the first one was."""
    name = next(n for n, one in shown(lived, lived.token).items() if one["detail"]["item"]["status"] == "READY")
    card = lived.api("GET", f"/items/{name}").json["artifacts"]["card"]
    edited = {**card["payload"], "headline": "A better headline"}
    assert lived.api("PUT", f"/items/{name}/artifacts/card", edited, if_match="*").status == 201
    lived.api("GET", "/export-all?fresh=true")
    lived.settle()
    newest = next(b for b in lived.api("GET", "/backups").json["backups"] if b["status"] == "DONE")
    newer = files.get(lived.table.get(keys.backup(lived.owner, newest["id"]))["file"]["at"])  # type: ignore[index]
    token, write = anybody(lived, "between"), restore_run._write

    def broken(table: Any, now: Any, *steps: Move | Write) -> None:
        if any(isinstance(step, Move) and step.write.key.sk.endswith(name) for step in steps):
            raise StepFailed("RESTORE_FAILED", "Broken.", retryable=False)
        write(table, now, *steps)

    with monkeypatch.context() as breaks:
        breaks.setattr(restore_run, "_write", broken)
        assert restored(lived, newer, token)["status"] == "FAILED"
    assert restored(lived, taken_out, token)["status"] == "DONE"
    there = lived.api("GET", f"/items/{name}", token=token).json
    assert there["artifacts"]["card"]["payload"]["headline"] == card["payload"]["headline"]
    own = lived.api("PUT", f"/items/{name}/artifacts/card", edited, if_match="*", token=token)
    assert (own.status, own.json["artifact"]["version"]) == (201, card["version"] + 1)


def test_what_is_being_deleted_is_not_half_brought_back(
    lived: World, taken_out: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tombstone is buried, with all that lies beside it, just before its row is written."""
    token = anybody(lived, "burying")
    restored(lived, taken_out, token)
    going = next(n for n, one in shown(lived, token).items() if one["detail"]["item"]["status"] == "READY")
    assert lived.api("DELETE", f"/items/{going}", token=token).status == 204
    write = restore_run._write

    def late(table: Any, now: Any, *steps: Move | Write) -> None:
        for _ in range(2) if any(isinstance(step, Move) for step in steps) else ():
            lived.table.write(Write(keys.item("burying", going), sets={"due_at": PAST}))
            lived.heartbeat()
        write(table, now, *steps)

    monkeypatch.setattr(restore_run, "_write", late)
    told = restored(lived, taken_out, token)
    assert (told["restored"], [one["item"] for one in told["told"]]) == (0, [going])
    assert "deleted a moment ago" in told["told"][0]["message"]
    assert lived.api("GET", f"/items/{going}", token=token).status == 404
