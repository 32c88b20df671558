"""Invariants of imports at the end: each line of a finished import has one result and one item."""

from collections import Counter
from typing import Any

from readdo.lifecycle.import_job import CANCELLED, DONE, FAILED, PAUSED
from readdo.transfer import transfer_keys
from simulation.importers import BAD, PAGE, TEXT, TWIN, kinds_of
from simulation.stage import Violation

RESTS = {DONE, FAILED, CANCELLED, PAUSED}
MAY_BE = {BAD: {"bad"}, TEXT: {"captured"}, PAGE: {"captured", "joined"}, TWIN: {"duplicate"}}
Row = dict[str, Any]


def check_imports(history: Any, deleted: set[str]) -> None:
    """Check all imports.

    `gone` holds items that somebody deleted: they are imported again if their line has no result yet.
    """
    for (owner, import_id), file_lines in history.importers.lines.items():
        row = history.table.rows.get(transfer_keys.import_job(owner, import_id))
        if row is None:
            raise Violation(f"10: the import {import_id} was taken and is not there")
        _check_rest(row)
        results = _results(history.table.rows, owner, import_id)
        _check_counts(row, results)
        items = history.watch.imported.get(import_id, [])
        _check_unique(items, deleted)
        if row["status"] == DONE:
            _check_done(row, file_lines, results, items, bool(deleted))


def _check_rest(row: Row) -> None:
    if row["status"] not in RESTS or "due_at" in row:
        raise Violation(f"6: an import is {row['status']} and due at {row.get('due_at')}")
    if row["status"] == FAILED and not row.get("failure", {}).get("message"):
        raise Violation("6: an import has FAILED without a word")
    if row["status"] == DONE and row["in_flight"]:
        raise Violation(f"6: an import is DONE and waits for {row['in_flight']}")


def _results(rows: dict[Any, Row], owner: str, import_id: str) -> list[Row]:
    """Return the results, line by line.

    The results of a page follow each other, and a page starts when the page before it is complete.
    """
    inside = transfer_keys.import_partition(owner, import_id)
    result_rows = sorted((row for key, row in rows.items() if key.pk == inside), key=lambda r: (r["page"], r["offset"]))
    nexts: Counter[int] = Counter()
    for row in result_rows:
        if row["offset"] != nexts[row["page"]]:
            raise Violation(f"4: results of page {row['page']} at {row['offset']}, not at {nexts[row['page']]}")
        nexts[row["page"]] += len(row["told"])
    return [one for row in result_rows for one in row["told"]]


def _check_counts(row: Row, results: list[Row]) -> None:
    counted = {name: row["counts"][name] for name in ("captured", "joined", "duplicate", "bad")}
    actual = Counter(one["result"] for one in results)
    if counted != {name: actual[name] for name in counted}:
        raise Violation(f"9: an import counts {counted}, and its lines ended as {dict(actual)}")
    if row["counts"]["archived"] > actual["captured"]:
        raise Violation(f"9: {row['counts']['archived']} of {actual['captured']} lines were put away")


def _check_unique(items: list[tuple[str, str]], deleted: set[str]) -> None:
    copies = Counter(title for item, title in items if item not in deleted)
    if any(count > 1 for count in copies.values()):
        raise Violation(f"4: of a line there are {max(copies.values())} items")


def _check_done(
    row: Row, file_lines: list[Row], results: list[Row], items: list[tuple[str, str]], some_gone: bool
) -> None:
    kinds = kinds_of(file_lines)
    if len(results) != len(file_lines) or row["counts"]["lines"] != len(file_lines):
        raise Violation(f"4: {len(file_lines)} lines, counted {row['counts']['lines']}, and {len(results)} results")
    if some_gone:
        return
    for kind, one in zip(kinds, results, strict=True):
        if one["result"] not in MAY_BE[kind]:
            raise Violation(f"4: a line of the kind {kind} ended as {one}")
    lines = zip(file_lines, results, strict=True)
    captured = [(one["item"], line["title"]) for line, one in lines if one["result"] == "captured"]
    if sorted(captured) != sorted(items):
        raise Violation(f"4: {sorted(captured)} are told as captured, and it has made {sorted(items)}")
    if row["counts"]["archived"] != sum(
        "archived" in line for line, one in zip(file_lines, results, strict=True) if one["result"] == "captured"
    ):
        raise Violation(f"9: {row['counts']['archived']} are counted as put away")
