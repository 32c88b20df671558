"""Restores while time passes, a newer restore failed or an item is deleted."""

from typing import Any

import pytest

from functions.items_in import PAST
from functions.restores_in import api_view, restore_backup, token_of
from readdo import clock, files
from readdo.errors import StepFailed
from readdo.lifecycle.advance import Move
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.transfer import transfer_keys
from readdo.transfer.restore import restore_run
from support.world import World


def test_started_restore_does_not_expire_with_its_offer(
    source_world: World, backup_zip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started in the last minute of the offer's day, then interrupted."""
    token = token_of(source_world, "patient")
    monkeypatch.setitem(source_world.instead, "restore", lambda *_: {"error": 1})
    restore = restore_backup(source_world, backup_zip, token)
    row = source_world.table.get(transfer_keys.restore("patient", restore["id"])) or {}
    assert row["status"] == "RUNNING" and not {"expires_at", "expires"} & set(row)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: clock.after(now, 25 * 3600))
    assert source_world.api("GET", f"/restores/{restore['id']}", token=token).json["restore"]["status"] == "RUNNING"


def test_restore_ignores_rows_left_by_a_failed_newer_restore(
    source_world: World, backup_zip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restore of a newer backup, with an edited item, fails; then the older backup is restored."""
    name = next(
        n for n, one in api_view(source_world, source_world.token).items() if one["detail"]["item"]["status"] == "READY"
    )
    card = source_world.api("GET", f"/items/{name}").json["artifacts"]["card"]
    edited = {**card["payload"], "headline": "A better headline"}
    assert source_world.api("PUT", f"/items/{name}/artifacts/card", edited, if_match="*").status == 201
    source_world.api("GET", "/export-all?fresh=true")
    source_world.settle()
    newest = next(b for b in source_world.api("GET", "/backups").json["backups"] if b["status"] == "DONE")
    newer = files.get(source_world.table.get(transfer_keys.backup(source_world.owner, newest["id"]))["file"]["at"])  # type: ignore[index]
    token, write = token_of(source_world, "between"), restore_run._write

    def fail_for_item(table: Any, now: Any, *steps: Move | Write) -> None:
        if any(isinstance(step, Move) and step.write.key.sk.endswith(name) for step in steps):
            raise StepFailed("RESTORE_FAILED", "Broken.", retryable=False)
        write(table, now, *steps)

    with monkeypatch.context() as breaks:
        breaks.setattr(restore_run, "_write", fail_for_item)
        assert restore_backup(source_world, newer, token)["status"] == "FAILED"
    assert restore_backup(source_world, backup_zip, token)["status"] == "DONE"
    detail = source_world.api("GET", f"/items/{name}", token=token).json
    assert detail["artifacts"]["card"]["payload"]["headline"] == card["payload"]["headline"]
    edit = source_world.api("PUT", f"/items/{name}/artifacts/card", edited, if_match="*", token=token)
    assert (edit.status, edit.json["artifact"]["version"]) == (201, card["version"] + 1)


def test_restore_skips_an_item_that_is_being_deleted(
    source_world: World, backup_zip: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The heartbeat deletes the tombstone and the item's data just before the restore writes the row."""
    token = token_of(source_world, "burying")
    restore_backup(source_world, backup_zip, token)
    gone_id = next(n for n, one in api_view(source_world, token).items() if one["detail"]["item"]["status"] == "READY")
    assert source_world.api("DELETE", f"/items/{gone_id}", token=token).status == 204
    write = restore_run._write

    def write_after_heartbeats(table: Any, now: Any, *steps: Move | Write) -> None:
        for _ in range(2) if any(isinstance(step, Move) for step in steps) else ():
            source_world.table.write(Write(item_keys.item("burying", gone_id), sets={"due_at": PAST}))
            source_world.heartbeat()
        write(table, now, *steps)

    monkeypatch.setattr(restore_run, "_write", write_after_heartbeats)
    restore = restore_backup(source_world, backup_zip, token)
    assert (restore["restored"], [one["item"] for one in restore["told"]]) == (0, [gone_id])
    assert restore["told"][0]["message_key"] == "restore_line.just_deleted"
    assert source_world.api("GET", f"/items/{gone_id}", token=token).status == 404
