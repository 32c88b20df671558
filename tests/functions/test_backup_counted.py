"""What a backup says of an item that changes while it is read, and how much of all of them it holds at a time."""

import pytest
from backups_in import lines, made_anew, opened
from items_in import PAST, TODOS, item_in

from readdo import files
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
    taken = backup_run.take(made.table, seen)
    assert taken is not None
    assert len(taken.line["history"]) == 51
    assert "user" not in {kept["created_by"] for kept in taken.artifacts}
    now = backup_run.take(made.table, made.row(item_id))
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
