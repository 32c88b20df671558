"""Backups while items change, and the memory that a backup uses."""

import random
from typing import cast

import pytest

from functions.backups_in import new_backup, open_backup, read_lines
from functions.items_in import PAST, TODOS, item_in
from readdo import files
from readdo.clock import digest
from readdo.lifecycle.write import Write
from readdo.read import history, item_keys
from readdo.read.rows import ItemRow
from readdo.transfer import transfer_keys
from readdo.transfer.backup import backup_run
from readdo.transfer.backup.item_snapshot import take_snapshot
from support.world import World


def test_snapshot_skips_changes_after_the_row_was_read(fresh: World) -> None:
    """The history is folded and a version is written after the row was read."""
    item_id = item_in(fresh, "READY")
    entry = {"at": PAST, "by": "user", "what": "keep", "to": "READY"}
    fresh.table.write(Write(item_keys.item(fresh.owner, item_id), sets={"history": [entry] * 51}))
    old_row = fresh.row(item_id)
    assert fresh.api("PUT", f"/items/{item_id}/artifacts/todos", TODOS, if_match="*").status == 201
    history.fold(fresh.table, cast("ItemRow", fresh.row(item_id)))
    assert len(fresh.row(item_id)["history"]) == history.CARRIED_AFTER_FOLDING
    snapshot = take_snapshot(fresh.table, cast("ItemRow", old_row))
    assert snapshot is not None
    assert len(snapshot.line["history"]) == 51
    assert "user" not in {artifact["created_by"] for artifact in snapshot.artifacts}
    new_snapshot = take_snapshot(fresh.table, cast("ItemRow", fresh.row(item_id)))
    assert new_snapshot is not None
    assert (len(new_snapshot.line["history"]), "user" in {a["created_by"] for a in new_snapshot.artifacts}) == (
        51,
        True,
    )


@pytest.mark.parametrize("count", [3, 30])
def test_backup_memory_does_not_grow_with_the_number_of_items(
    fresh: World, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts the largest piece that is written and the largest part that is sent."""
    largest: list[int] = []
    put = files.put_once
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 20_000)
    monkeypatch.setattr(files, "put_once", lambda key, body, kind: (largest.append(len(body)), put(key, body, kind)))
    for n in range(count):
        fresh.capture(content=f"{n} " * 2000, process=False)
    backup_id = new_backup(fresh)
    assert len(read_lines(open_backup(fresh, backup_id), "items")) == count
    assert max(largest) < 30_000


def add_export_copies(world: World, item_id: str, count: int) -> list[bytes]:
    """Add copies of the item's export, each with a file of 15,000 bytes that do not compress."""
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    row = world.table.get(item_keys.export(world.owner, item_id, "k")) or {}
    template = {name: value for name, value in row.items() if name not in ("pk", "sk")}
    bodies = [random.Random(n).randbytes(15_000) for n in range(count)]  # noqa: S311 - any will do
    for n, body in enumerate(bodies):
        at = f"exports/{world.owner}/{item_id}/{digest(f'k{n}')}/card.md"
        files.put_once(at, body, "text/markdown")
        file = {**row["files"]["md"], "at": at, "bytes": len(body), "sha256": files.sha256(body)}
        export_row = {**template, "export_key": f"k{n}", "key_digest": digest(f"k{n}"), "files": {"md": file}}
        world.table.write(Write(item_keys.export(world.owner, item_id, f"k{n}"), "put", row=export_row))
    return bodies


def test_backup_holds_one_file_of_an_item_in_memory_at_a_time(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts the bytes that are read from the bucket and not yet written into a piece."""
    bodies = add_export_copies(fresh, item_in(fresh, "READY"), 8)
    held_bytes: list[int] = [0]
    put, get = files.put_once, files.get
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 20_000)
    monkeypatch.setattr(files, "put_once", lambda key, body, kind: (held_bytes.append(0), put(key, body, kind)))
    monkeypatch.setattr(files, "get", lambda key: (body := get(key), held_bytes.append(held_bytes[-1] + len(body)))[0])
    backup_id = new_backup(fresh)
    monkeypatch.undo()
    assert max(held_bytes) < 40_000
    archive = open_backup(fresh, backup_id)
    (line,) = (one for one in read_lines(archive, "items") if one["exports"])
    files_by_key = {export["export_key"]: archive.read(export["files"]["md"]["path"]) for export in line["exports"]}
    assert [files_by_key[f"k{n}"] for n in range(8)] == bodies
    assert len(archive.namelist()) == len(set(archive.namelist()))


def test_backup_can_be_made_after_the_last_one_expired(fresh: World) -> None:
    first = new_backup(fresh)
    fresh.table.write(Write(transfer_keys.backup(fresh.owner, first), "delete"))  # as the table's TTL does
    second = new_backup(fresh)
    assert second != first
    assert [b["id"] for b in fresh.api("GET", "/backups").json["backups"]] == [second]
