"""One slice of an import: look at what is in flight, bring in as many of the next lines as fit, note it all at once.

The lines that follow the noted ones are the same for every start, so that even a late one, whose note is refused, adds
nothing to what is in flight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readdo import clock
from readdo.lifecycle.advance import Change, living
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.import_job import PAUSED, RUNNING
from readdo.lifecycle.write import Write
from readdo.read.imports import pages, run
from readdo.read.imports.line_capture import LineResult, Placed, bring_in, needs_room
from readdo.read.imports.run import ImportRun
from readdo.runtime import seconds
from readdo.store import keys
from readdo.store.due import NOT_DUE, due
from readdo.store.table import DynamoTable

IN_FLIGHT_MAX = 50
ROUNDS = 10  # of one slice, as long as nothing has to be waited for
SLICES_MAX = 1500  # of one execution, whose history may have 25,000 events
WAIT_SECONDS, WAIT_MOST = 5, 60
WHO = "system:import_lines"


@dataclass(frozen=True)
class _Round:
    told: list[LineResult]
    flying: list[str]
    lines: int  # of the page
    ended: bool
    moved: bool


def carry_on(table: DynamoTable, start: ImportRun, number: int, waited: int, at: str) -> int:
    """How long to wait before the next slice; 0 if this execution has no more."""
    last = number >= SLICES_MAX
    for _ in range(ROUNDS):
        done = _round(table, start, last, at)
        if done.ended or done.flying or last or not done.moved:
            break
    if done.ended or last:
        return 0
    return WAIT_SECONDS if done.moved else min(2 * max(waited, WAIT_SECONDS), WAIT_MOST)


def _round(table: DynamoTable, start: ImportRun, last: bool, at: str) -> _Round:
    row = run.fenced(table, start, "note")
    flying = _in_flight(table, row)
    lines = pages.read(row, row["page"]) if row["page"] < row["pages"] else []
    told = bring_in(table, row, _fitting(table, row, lines, len(flying)), at)
    flying += [one.item for one in told if one.flies]
    through = row["offset"] + len(told) >= len(lines) and row["page"] + 1 >= row["pages"]
    done = _Round(told, flying, len(lines), through and not flying, bool(told) or len(flying) < len(row["in_flight"]))
    half = seconds("IMPORT_SECONDS", 900) / 2
    if done.moved or done.ended or last or clock.seconds_between(at, row["due_at"]) < half:
        _note(table, start, row, done, last, at)
    return done


def _in_flight(table: DynamoTable, row: dict[str, Any]) -> list[str]:
    """What the product itself still has to do something for: it has a due time."""
    rows = table.get_all(keys.item(row["owner"], item_id) for item_id in row["in_flight"])
    moving = {found["id"] for found in rows if living(found) and "due_at" in found}
    return [item_id for item_id in row["in_flight"] if item_id in moving]


def _fitting(table: DynamoTable, row: dict[str, Any], lines: Sequence[pages.Written], flying: int) -> list[Placed]:
    """The next lines of the page, as long as there is room for those that need it."""
    found: list[Placed] = []
    room: int | None = None
    for place, line in list(enumerate(lines))[row["offset"] :]:
        if needs_room(row, line):
            room = _room(table, row, flying) if room is None else room
            if room <= 0:
                break
            room -= 1
        found.append((place, line))
    return found


def _room(table: DynamoTable, row: dict[str, Any], flying: int) -> int:
    """Of several imports of one owner the first goes first, and what the others have in flight counts.

    One that is paused does not look itself whether its items have come to rest.
    """
    where, between = keys.partition(keys.owner(row["owner"])), keys.stretch(keys.IMPORT_PREFIX)
    others = [
        other
        for other in table.query_all(where, between)
        if other["id"] != row["id"] and other["status"] in (RUNNING, PAUSED)
    ]
    if any(other["status"] == RUNNING and other["id"] < row["id"] for other in others):
        return 0
    return IN_FLIGHT_MAX - flying - sum(len(_in_flight(table, other)) for other in others)


def _note(table: DynamoTable, start: ImportRun, row: dict[str, Any], done: _Round, last: bool, at: str) -> None:
    offset = row["offset"] + len(done.told)
    turned = bool(done.lines) and offset >= done.lines
    sets: dict[str, Any] = {
        "page": row["page"] + turned,
        "offset": 0 if turned else offset,
        "in_flight": done.flying,
        **({"restarts": 0} if done.told or last else {}),
        # The heartbeat goes on where an execution has become too long.
        **({"done_at": at} if done.ended else due(start.id, at) if last else run.later(start, at)),
    }
    change = Change(
        sets=sets,
        adds=_counted(done.told),
        removes=NOT_DUE if done.ended else (),
        condition=VERSION_SEEN,  # of two invocations of this start, which have done the same lines, one counts them
        params={"seen_version": row["version"]},
    )
    results = [_results(row, done.told)] if done.told else []
    run.note(table, start, "finish" if done.ended else "note", change, at, *results, who=WHO)


def _counted(told: Sequence[LineResult]) -> dict[str, int]:
    names = [one.result for one in told] + ["archived" for one in told if one.archived]
    return {f"counts.{name}": names.count(name) for name in dict.fromkeys(names)}


def _results(row: dict[str, Any], told: Sequence[LineResult]) -> Write:
    key = keys.results(row["owner"], row["id"], row["page"], row["offset"])
    return Write(key, "put", row={"page": row["page"], "offset": row["offset"], "told": [one.kept for one in told]})
