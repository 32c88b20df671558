"""backup: one zip holds everything of its owner and nothing of other owners."""

import json
from typing import Any, cast

import boto3
import pytest

from functions.backups_in import (
    STATES,
    backup_row,
    backup_with_lost_worker,
    make_overdue,
    new_backup,
    open_backup,
    raise_lease_lost,
    read_lines,
    request_backup,
)
from functions.items_in import CHINESE, PAST, run_together, versions
from readdo import clock, files
from readdo.lifecycle.write import Write
from readdo.read import artifacts, history, item_keys
from readdo.read.rows import ItemRow
from readdo.store import keys, tokens
from readdo.transfer import transfer_keys
from readdo.transfer.backup.item_snapshot import take_snapshot
from support.world import World


def test_backup_holds_all_items_of_its_owner(full_world: World) -> None:
    archive = open_backup(full_world, new_backup(full_world))
    manifest = json.loads(archive.read("readdo.json"))
    assert (manifest["format"], manifest["version"]) == ("readdo-backup", 1)
    rows = list(
        full_world.table.query_all(keys.partition(keys.owner(full_world.owner)), keys.stretch(item_keys.ITEM_PREFIX))
    )
    items = {line["id"]: line for line in read_lines(archive, "items")}
    assert {line["status"] for line in items.values()} == {*STATES, "ARCHIVED"}
    assert {r["id"] for r in rows} == set(items)
    lines_of_item: dict[str, list[Any]] = {}
    for line in read_lines(archive, "artifacts"):
        lines_of_item.setdefault(line.pop("item"), []).append(line)
    for item_row in rows:
        line = items[item_row["id"]]
        assert line["history"] == history.full_history(full_world.table, cast("ItemRow", item_row))
        assert {name: item_row[name] for name in ("title", "intent_text", "version", "versions")} == {
            name: line[name] for name in ("title", "intent_text", "version", "versions")
        }
        artifacts_of_item = [
            artifact for kind in artifacts.KINDS for artifact in versions(full_world, item_row["id"], kind)
        ]
        assert sorted(map(repr, lines_of_item.get(item_row["id"], []))) == sorted(map(repr, artifacts_of_item))
        assert "content" in line


def test_backup_holds_pasted_texts_and_export_files_unchanged(full_world: World) -> None:
    archive = open_backup(full_world, new_backup(full_world))
    texts = {archive.read(line["content"]).decode() for line in read_lines(archive, "items")}
    assert {"很长的一段文字。" * 2000, CHINESE["content"]} <= texts
    (exported,) = (e for line in read_lines(archive, "items") for e in line["exports"])
    export_row = finished_export_row(full_world)
    assert set(exported["files"]) == {"md", "png"}
    for form, file in exported["files"].items():
        assert archive.read(file["path"]) == files.get(export_row["files"][form]["at"])
        assert files.sha256(archive.read(file["path"])) == file["sha256"]


def finished_export_row(world: World) -> dict[str, Any]:
    rows: Any = boto3.client("dynamodb").scan(TableName=world.table.name)["Items"]
    (key,) = {r["pk"]["S"] for r in rows if r["sk"]["S"].startswith("X#") and r["status"]["S"] == "DONE"}
    return world.table.get(item_keys.export(world.owner, key.rsplit("#", 1)[1], "k")) or {}


def test_backup_holds_no_owner_no_token_and_no_storage_fields(full_world: World) -> None:
    full_world.api("POST", "/tokens", {"name": "spare"})
    archive = open_backup(full_world, new_backup(full_world))
    internal = {"pk", "sk", "owner", "inbox", "due_at", "due_shard", "last_write", "lease_owner", "content_ref"}
    for line in [*read_lines(archive, "items"), *read_lines(archive, "artifacts")]:
        assert not internal & set(line)
    everything = "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    for secret in (full_world.token, "rdo_", "spare", "artifacts/me/", "content/me/", "exports/me/"):
        assert secret not in everything


def test_backup_holds_no_items_of_another_owner(full_world: World) -> None:
    other = tokens.issue(full_world.table, "other", "test")
    answer = full_world.api("GET", "/export-all", token=other)
    full_world.settle()
    backup_id = answer.json["backup"]["id"]
    assert full_world.api("GET", f"/backups/{backup_id}", token=other).json["backup"]["items"] == 0
    for path in (f"/backups/{backup_id}", f"/backups/{backup_id}/file"):
        assert full_world.api("GET", path).status == 404
    assert backup_id not in [b["id"] for b in full_world.api("GET", "/backups").json["backups"]]


def test_backup_is_reused_unless_a_fresh_one_is_requested(full_world: World) -> None:
    full_world.settle()
    first = request_backup(full_world, "?fresh=true")
    full_world.settle()
    assert request_backup(full_world)["id"] == first["id"]
    assert full_world.api("GET", "/export-all").status == 200
    assert request_backup(full_world, "?fresh=true")["id"] != first["id"]
    full_world.settle()


def test_fresh_request_joins_a_running_backup(full_world: World) -> None:
    backup_id = backup_with_lost_worker(full_world)
    answer = full_world.api("GET", "/export-all?fresh=true")
    assert (answer.status, answer.json["backup"]["id"]) == (202, backup_id)
    assert answer.headers["location"] == f"/backups/{backup_id}"
    assert answer.headers["cache-control"] == "no-store"
    make_overdue(full_world, backup_id)
    full_world.heartbeat()
    full_world.settle()


def test_concurrent_requests_share_one_backup(full_world: World) -> None:
    new_backup(full_world)
    full_world.instead["backup"] = raise_lease_lost
    backup_ids = run_together(4, lambda _: request_backup(full_world, "?fresh=true")["id"])
    full_world.settle()
    del full_world.instead["backup"]
    assert len(set(backup_ids)) == 1
    make_overdue(full_world, backup_ids[0])
    full_world.heartbeat()
    full_world.settle()


def test_backup_older_than_ten_minutes_is_not_reused(full_world: World) -> None:
    first = new_backup(full_world)
    earlier = clock.after(clock.now(), -601)
    full_world.table.write(Write(transfer_keys.backup(full_world.owner, first), sets={"done_at": earlier}))
    assert request_backup(full_world)["id"] != first
    full_world.settle()


def test_expired_backup_is_not_found(full_world: World) -> None:
    backup_id = new_backup(full_world)
    full_world.table.write(Write(transfer_keys.backup(full_world.owner, backup_id), sets={"expires_at": PAST}))
    for path in (f"/backups/{backup_id}", f"/backups/{backup_id}/file"):
        assert (full_world.api("GET", path).status, full_world.api("GET", path).json["error"]["code"]) == (
            404,
            "NOT_FOUND",
        )
    assert backup_id not in [b["id"] for b in full_world.api("GET", "/backups").json["backups"]]
    assert backup_row(full_world, backup_id)["expires"] > clock.epoch_seconds(clock.now())


def test_backups_are_listed_newest_first(full_world: World) -> None:
    new_backup(full_world), new_backup(full_world)
    listed = [b["id"] for b in full_world.api("GET", "/backups").json["backups"]]
    assert listed == sorted(listed, reverse=True)
    assert len(listed) >= 2


@pytest.mark.parametrize("query", ["?fresh=perhaps", "?frsh=true"])
def test_invalid_query_starts_no_backup(full_world: World, query: str) -> None:
    before = len(full_world.api("GET", "/backups").json["backups"])
    assert full_world.api("GET", f"/export-all{query}").status == 400
    assert len(full_world.api("GET", "/backups").json["backups"]) == before


def test_backup_needs_only_the_read_scope(full_world: World) -> None:
    reads = tokens.issue(full_world.table, full_world.owner, "reads", ("read",))
    assert full_world.api("GET", "/export-all", token=reads).status in (200, 202)
    full_world.settle()


def test_backup_skips_an_item_that_is_deleted_meanwhile(full_world: World) -> None:
    deleted_id = full_world.capture(content="Going away. " * 1000, process=False)
    item = full_world.row(deleted_id)
    assert full_world.api("DELETE", f"/items/{deleted_id}").status == 204
    assert take_snapshot(full_world.table, cast("ItemRow", item)) is None
