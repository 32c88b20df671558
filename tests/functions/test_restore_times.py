"""A restore beside what takes time: the day that an offer waits, and an item that is being deleted."""

from typing import Any

import pytest
from items_in import PAST
from restores_in import anybody, restored, shown

from readdo import clock
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
        if any(isinstance(step, Move) for step in steps):
            lived.table.write(Write(keys.item("burying", going), sets={"due_at": PAST}))
            lived.heartbeat()
        write(table, now, *steps)

    monkeypatch.setattr(restore_run, "_write", late)
    told = restored(lived, taken_out, token)
    assert (told["restored"], [one["item"] for one in told["told"]]) == (0, [going])
    assert "deleted a moment ago" in told["told"][0]["message"]
    assert lived.api("GET", f"/items/{going}", token=token).status == 404
