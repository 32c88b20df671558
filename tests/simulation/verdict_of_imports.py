"""What must hold of imports in the end: each line of one that is done has one result, and its item is there once."""

from collections import Counter
from typing import Any

from readdo.lifecycle.import_job import CANCELLED, DONE, FAILED, PAUSED
from readdo.store import keys
from simulation.importers import BAD, PAGE, TEXT, TWIN, kinds_of
from simulation.stage import Violation

RESTS = {DONE, FAILED, CANCELLED, PAUSED}
MAY_BE = {BAD: {"bad"}, TEXT: {"captured"}, PAGE: {"captured", "joined"}, TWIN: {"duplicate"}}
Row = dict[str, Any]


def given(on: Any, gone: set[str]) -> None:
    """`gone`: items that somebody has deleted, which are brought in again if their line is not noted yet."""
    for (owner, import_id), said in on.importers.said.items():
        row = on.table.rows.get(keys.importing(owner, import_id))
        if row is None:
            raise Violation(f"10: the import {import_id} was taken and is not there")
        _rests(row)
        told = _told(on.table.rows, owner, import_id)
        _counted(row, told)
        made = on.watch.brought.get(import_id, [])
        _once(made, gone)
        if row["status"] == DONE:
            _whole(row, said, told, made, bool(gone))


def _rests(row: Row) -> None:
    if row["status"] not in RESTS or "due_at" in row:
        raise Violation(f"6: an import is {row['status']} and due at {row.get('due_at')}")
    if row["status"] == FAILED and not row.get("failure", {}).get("message"):
        raise Violation("6: an import has FAILED without a word")
    if row["status"] == DONE and row["in_flight"]:
        raise Violation(f"6: an import is DONE and waits for {row['in_flight']}")


def _told(rows: dict[Any, Row], owner: str, import_id: str) -> list[Row]:
    """Line by line; the results of a page follow each other, and a page is begun when the one before it is through."""
    inside = keys.inside_import(owner, import_id)
    noted = sorted((row for key, row in rows.items() if key.pk == inside), key=lambda r: (r["page"], r["offset"]))
    nexts: Counter[int] = Counter()
    for row in noted:
        if row["offset"] != nexts[row["page"]]:
            raise Violation(f"4: results of page {row['page']} at {row['offset']}, not at {nexts[row['page']]}")
        nexts[row["page"]] += len(row["told"])
    return [one for row in noted for one in row["told"]]


def _counted(row: Row, told: list[Row]) -> None:
    counted = {name: row["counts"][name] for name in ("captured", "joined", "duplicate", "bad")}
    true = Counter(one["result"] for one in told)
    if counted != {name: true[name] for name in counted}:
        raise Violation(f"9: an import counts {counted}, and its lines ended as {dict(true)}")
    if row["counts"]["archived"] > true["captured"]:
        raise Violation(f"9: {row['counts']['archived']} of {true['captured']} lines were put away")


def _once(made: list[tuple[str, str]], gone: set[str]) -> None:
    twice = Counter(title for item, title in made if item not in gone)
    if any(count > 1 for count in twice.values()):
        raise Violation(f"4: of a line there are {max(twice.values())} items")


def _whole(row: Row, said: list[Row], told: list[Row], made: list[tuple[str, str]], some_gone: bool) -> None:
    kinds = kinds_of(said)
    if len(told) != len(said) or row["counts"]["lines"] != len(said):
        raise Violation(f"4: {len(said)} lines, counted {row['counts']['lines']}, and {len(told)} results")
    if some_gone:
        return
    for kind, one in zip(kinds, told, strict=True):
        if one["result"] not in MAY_BE[kind]:
            raise Violation(f"4: a line of the kind {kind} ended as {one}")
    lines = zip(said, told, strict=True)
    captured = [(one["item"], line["title"]) for line, one in lines if one["result"] == "captured"]
    if sorted(captured) != sorted(made):
        raise Violation(f"4: {sorted(captured)} are told as captured, and it has made {sorted(made)}")
    if row["counts"]["archived"] != sum(
        "archived" in line for line, one in zip(said, told, strict=True) if one["result"] == "captured"
    ):
        raise Violation(f"9: {row['counts']['archived']} are counted as put away")
