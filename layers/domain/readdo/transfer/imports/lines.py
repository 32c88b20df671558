"""A slice of an import: check the items in flight, create items from the next lines, record both.

Every start continues with the same lines after the recorded ones. So a late start, whose record is refused, adds no
item to those in flight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from readdo import clock
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change
from readdo.lifecycle.write import VERSION_SEEN, Write
from readdo.read.rows import ItemRow
from readdo.store.keys import NOT_DUE, due
from readdo.store.table import DynamoTable
from readdo.transfer import transfer_keys
from readdo.transfer.imports import pages
from readdo.transfer.imports.in_flight import free_places, items_in_flight
from readdo.transfer.imports.line_capture import LineResult, Placed, capture_lines, needs_room
from readdo.transfer.jobs import import_seconds
from readdo.transfer.rows import ImportRow, ResultsRow

ROUNDS = 10  # of one slice, while there is nothing to wait for
SLICES_MAX = 1500  # of one execution, whose history is limited to 25,000 events
WAIT_SECONDS, WAIT_MOST = 2, 60
WHO = "system:import_lines"


@dataclass(frozen=True)
class _Round:
    results: list[LineResult]
    flying: list[str]
    lines: int  # of the page
    ended: bool
    moved: bool


def carry_on(table: DynamoTable, start: Slice, number: int, waited: int, at: str) -> int:
    """Seconds until the next slice. 0 if this execution has no further one."""
    last = number >= SLICES_MAX
    for _ in range(ROUNDS):
        done = _round(table, start, last, at)
        if done.ended or done.flying or last or not done.moved:
            break
    if done.ended or last:
        return 0
    return WAIT_SECONDS if done.moved else min(2 * max(waited, WAIT_SECONDS), WAIT_MOST)


def _round(table: DynamoTable, start: Slice, last: bool, at: str) -> _Round:
    row = cast("ImportRow", sliced_job.fenced(table, start))
    in_flight = items_in_flight(table, row)
    lines = pages.read(row, row["page"]) if row["page"] < row["pages"] else []
    results = capture_lines(table, row, _fitting(table, row, lines, in_flight), at)
    flying = [item["id"] for item in in_flight] + [result.item for result in results if result.flies]
    is_last = row["offset"] + len(results) >= len(lines) and row["page"] + 1 >= row["pages"]
    done = _Round(
        results, flying, len(lines), is_last and not flying, bool(results) or len(flying) < len(row["in_flight"])
    )
    half = import_seconds() / 2
    if done.moved or done.ended or last or clock.seconds_between(at, row["due_at"]) < half:
        _note(table, start, row, done, last, at)
    return done


def _fitting(
    table: DynamoTable, row: ImportRow, lines: Sequence[pages.Written], in_flight: Sequence[ItemRow]
) -> list[Placed]:
    """The next lines of the page, as far as there is room for those that need it."""
    fitting: list[Placed] = []
    room: int | None = None
    for place, line in list(enumerate(lines))[row["offset"] :]:
        if needs_room(row, line):
            room = free_places(table, row, in_flight) if room is None else room
            if room <= 0:
                break
            room -= 1
        fitting.append((place, line))
    return fitting


def _note(table: DynamoTable, start: Slice, row: ImportRow, done: _Round, last: bool, at: str) -> None:
    offset = row["offset"] + len(done.results)
    turned = bool(done.lines) and offset >= done.lines
    sets: dict[str, Any] = {
        "page": row["page"] + turned,
        "offset": 0 if turned else offset,
        "in_flight": done.flying,
        **({"restarts": 0} if done.results or last else {}),
        # The heartbeat continues when the execution has reached its limit.
        **({"done_at": at} if done.ended else due(start.id, at) if last else start.due(at)),
    }
    change = Change(
        sets=sets,
        adds=_counted(done.results),
        removes=NOT_DUE if done.ended else (),
        condition=VERSION_SEEN,  # two invocations of this start handle the same lines: only one counts them
        params={"seen_version": row["version"]},
    )
    writes = [_results_row(row, done.results)] if done.results else []
    sliced_job.advance_fenced(table, start, "finish" if done.ended else "note", change, at, *writes, who=WHO)


def _counted(results: Sequence[LineResult]) -> dict[str, int]:
    names = [result.result for result in results] + ["archived" for result in results if result.archived]
    return {f"counts.{name}": names.count(name) for name in dict.fromkeys(names)}


def _results_row(row: ImportRow, results: Sequence[LineResult]) -> Write:
    key = transfer_keys.results(row["owner"], row["id"], row["page"], row["offset"])
    kept: ResultsRow = {"page": row["page"], "offset": row["offset"], "told": [result.kept for result in results]}
    return Write(key, "put", row=kept)
