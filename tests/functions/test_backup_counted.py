"""What a backup says of an item that changes while it is read, and how much of all of them it holds at a time."""

import random

import pytest
from backups_in import lines, made_anew, opened
from items_in import PAST, TODOS, item_in

from readdo import files
from readdo.ids import digest
from readdo.lifecycle.write import Write
from readdo.read import backup_run
from readdo.store import history, keys
from support.world import World


def test_what_is_newer_than_the_read_of_the_row_is_left_out(made: World) -> None:
    """The history is folded and a version is made between the read of the row and of what lies beside it."""
    item_id = item_in(made, "READY")
    entry = {"at": PAST, "by": "user", "what": "keep", "to": "READY"}
    made.table.write(Write(keys.item(made.owner, item_id), sets={"history": [entry] * 51}))
    seen = made.row(item_id)
    assert made.api("PUT", f"/items/{item_id}/artifacts/todos", TODOS, if_match="*").status == 201
    history.fold(made.table, made.row(item_id))
    assert len(made.row(item_id)["history"]) == history.CARRIED_AFTER_FOLDING
    taken = backup_run.take_snapshot(made.table, seen)
    assert taken is not None
    assert len(taken.line["history"]) == 51
    assert "user" not in {kept["created_by"] for kept in taken.artifacts}
    now = backup_run.take_snapshot(made.table, made.row(item_id))
    assert now is not None
    assert (len(now.line["history"]), "user" in {a["created_by"] for a in now.artifacts}) == (51, True)


@pytest.mark.parametrize("count", [3, 30])
def test_what_is_held_at_a_time_does_not_grow_with_the_number_of_items(
    made: World, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not measured: the largest piece that is written, and the largest part that is sent."""
    largest: list[int] = []
    put = files.put_once
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 20_000)
    monkeypatch.setattr(files, "put_once", lambda key, body, kind: (largest.append(len(body)), put(key, body, kind)))
    for n in range(count):
        made.capture(content=f"{n} " * 2000, process=False)
    backup_id = made_anew(made)
    assert len(lines(opened(made, backup_id), "items")) == count
    assert max(largest) < 30_000


def exported(made: World, item_id: str, count: int) -> list[bytes]:
    """Sets of files like the one that the item has, each of 15,000 bytes that do not pack."""
    made.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    made.settle()
    row = made.table.get(keys.export(made.owner, item_id, "k")) or {}
    like = {name: value for name, value in row.items() if name not in ("pk", "sk")}
    bodies = [random.Random(n).randbytes(15_000) for n in range(count)]  # noqa: S311 - any will do
    for n, body in enumerate(bodies):
        at = f"exports/{made.owner}/{item_id}/{digest(f'k{n}')}/card.md"
        files.put_once(at, body, "text/markdown")
        file = {**row["files"]["md"], "at": at, "bytes": len(body), "sha256": files.sha256(body)}
        said = {**like, "export_key": f"k{n}", "key_digest": digest(f"k{n}"), "files": {"md": file}}
        made.table.write(Write(keys.export(made.owner, item_id, f"k{n}"), "put", row=said))
    return bodies


def test_of_one_item_with_many_files_one_is_held_at_a_time(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted: what was read of the bucket, and not yet written into a piece."""
    bodies = exported(made, item_in(made, "READY"), 8)
    held: list[int] = [0]
    put, get = files.put_once, files.get
    monkeypatch.setattr(backup_run, "PIECE_BYTES", 20_000)
    monkeypatch.setattr(files, "put_once", lambda key, body, kind: (held.append(0), put(key, body, kind)))
    monkeypatch.setattr(files, "get", lambda key: (body := get(key), held.append(held[-1] + len(body)))[0])
    backup_id = made_anew(made)
    monkeypatch.undo()
    assert max(held) < 40_000
    found = opened(made, backup_id)
    (line,) = (one for one in lines(found, "items") if one["exports"])
    kept = {export["export_key"]: found.read(export["files"]["md"]["path"]) for export in line["exports"]}
    assert [kept[f"k{n}"] for n in range(8)] == bodies
    assert len(found.namelist()) == len(set(found.namelist()))


def test_when_the_last_one_was_swept_up_another_can_be_made(made: World) -> None:
    first = made_anew(made)
    made.table.write(Write(keys.backup(made.owner, first), "delete"))  # as the table does in time
    second = made_anew(made)
    assert second != first
    assert [b["id"] for b in made.api("GET", "/backups").json["backups"]] == [second]
