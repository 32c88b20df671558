"""restore: restored items equal the exported ones and have a new owner; existing items stay unchanged."""

from collections import Counter
from pathlib import Path

from functions.restores_in import api_view, restore_backup, token_of, without_restore_move, without_volatile_fields
from readdo import files
from readdo.lifecycle.write import Write
from readdo.transfer import transfer_keys
from support.world import World

STORED = {
    **{"CAPTURED": 4, "READY": 3, "SHIPPED": 2, "ARCHIVED": 1},
    **{"FAILED_EXTRACTION": 1, "FAILED_AI": 2, "FAILED_EXPORT": 1},
}
UNDER_WAY = {"QUEUED": "CAPTURED", "PROCESSING": "CAPTURED"}


def test_restore_for_another_owner_keeps_resting_items_unchanged(source_world: World, backup_zip: bytes) -> None:
    before = api_view(source_world, source_world.token)
    token = token_of(source_world, "another")
    restore = restore_backup(source_world, backup_zip, token)
    assert (restore["status"], restore["restored"], restore["known"], restore["refused"]) == (
        "DONE",
        len(before),
        0,
        0,
    ), restore
    after = api_view(source_world, token)
    assert set(after) == set(before)
    assert list(after) == [name for name in before if name in after] or UNDER_WAY
    for name, first in before.items():
        if first["detail"]["item"]["status"] not in UNDER_WAY:
            assert without_volatile_fields(without_restore_move(after[name])) == without_volatile_fields(first), first[
                "detail"
            ]["item"]["status"]
    assert max(len(one["detail"]["history"]) for one in after.values()) > 60
    assert api_view(source_world, source_world.token) == before, "the first owner's are as they were"


def test_restore_sets_running_items_to_captured(source_world: World, backup_zip: bytes) -> None:
    before = api_view(source_world, source_world.token)
    token = token_of(source_world, "resting")
    restore_backup(source_world, backup_zip, token)
    for name, now in api_view(source_world, token).items():
        status = before[name]["detail"]["item"]["status"]
        assert now["detail"]["item"]["status"] == UNDER_WAY.get(status, status)
        assert "progress" not in now["detail"]["item"]
    assert source_world.api("GET", "/items", token=token).status == 200
    waiting = [name for name, one in before.items() if one["detail"]["item"]["status"] in UNDER_WAY]
    assert source_world.api("POST", f"/items/{waiting[0]}/process", {}, token=token).status == 202
    source_world.settle()
    assert source_world.api("GET", f"/items/{waiting[0]}", token=token).json["item"]["status"] == "READY"


def test_second_restore_changes_nothing(source_world: World, backup_zip: bytes) -> None:
    token = token_of(source_world, "twice")
    first = restore_backup(source_world, backup_zip, token)
    after_first = api_view(source_world, token)
    second = restore_backup(source_world, backup_zip, token)
    assert (second["restored"], second["known"], second["refused"]) == (0, first["restored"], 0)
    assert api_view(source_world, token) == after_first


def test_restore_keeps_existing_items_unchanged(source_world: World, backup_zip: bytes) -> None:
    token = token_of(source_world, "changed")
    restore_backup(source_world, backup_zip, token)
    name = next(n for n, one in api_view(source_world, token).items() if one["detail"]["item"]["status"] == "READY")
    assert source_world.api("PATCH", f"/items/{name}", {"title": "mine now"}, if_match="*", token=token).status == 200
    deleted = next(
        n for n, one in api_view(source_world, token).items() if one["detail"]["item"]["status"] == "SHIPPED"
    )
    assert source_world.api("DELETE", f"/items/{deleted}", token=token).status == 204
    restore = restore_backup(source_world, backup_zip, token)
    assert (restore["restored"], restore["refused"]) == (0, 1)
    expected = [(deleted, "restore_line.just_deleted")]
    assert [(one["item"], one["message_key"]) for one in restore["told"]] == expected
    assert source_world.api("GET", f"/items/{name}", token=token).json["item"]["title"] == "mine now"


def test_capture_joins_a_restored_page(source_world: World, backup_zip: bytes) -> None:
    token = token_of(source_world, "pages")
    restore_backup(source_world, backup_zip, token)
    again = {"url": "https://example.org/leases", "intent_text": "once more"}
    assert source_world.api("POST", "/capture", again, token=token).json["joined"] is True


def test_backup_of_restored_items_can_be_restored(source_world: World, backup_zip: bytes) -> None:
    token = token_of(source_world, "again")
    restore_backup(source_world, backup_zip, token)
    answer = source_world.api("GET", "/export-all", token=token)
    source_world.settle()
    backup = source_world.table.get(transfer_keys.backup("again", answer.json["backup"]["id"])) or {}
    second = files.get(backup["file"]["at"])
    other = token_of(source_world, "oncemore")
    restore_backup(source_world, second, other)
    assert set(api_view(source_world, other)) == set(api_view(source_world, token))


def test_restore_starts_only_with_its_file_and_one_at_a_time(source_world: World) -> None:
    token = token_of(source_world, "early")
    offered = source_world.api("POST", "/restore", {"size": 9, "sha256": "0" * 64}, token=token).json["restore"]["id"]
    early = source_world.api("POST", f"/restores/{offered}/start", token=token)
    assert (early.status, early.json["error"]["code"]) == (409, "STATE_CONFLICT")
    assert "was not uploaded" in early.json["error"]["message"]
    later = source_world.api("POST", "/restore", {"size": 9, "sha256": "0" * 64}, token=token).json["restore"]["id"]
    files.put_once(f"restores/early/{offered}.zip", b"x" * 9, "application/zip")
    assert source_world.api("POST", f"/restores/{offered}/start", token=token).status == 409, (
        "another was offered since"
    )
    source_world.table.write(Write(transfer_keys.restore("early", later), sets={"status": "RUNNING"}))
    assert source_world.api("POST", "/restore", {"size": 9, "sha256": "0" * 64}, token=token).status == 409
    assert source_world.api("GET", f"/restores/{later}").status == 404, "another owner's"


def test_backup_of_an_earlier_release_is_restored(source_world: World) -> None:
    """The file was made on 2026-11-19. A new format adds another file and keeps this one."""
    token = token_of(source_world, "earlier")
    stored = (Path(__file__).parent / "stored/backup-2026-11-19.zip").read_bytes()
    restore = restore_backup(source_world, stored, token)
    assert (restore["status"], restore["restored"], restore["known"], restore["refused"]) == ("DONE", 14, 0, 0), restore
    items = api_view(source_world, token)
    statuses = Counter(one["detail"]["item"]["status"] for one in items.values())
    assert statuses == STORED
    assert sum(len(one["files"]) for one in items.values()) == 3
    assert all(body for one in items.values() for body in one["files"].values())
