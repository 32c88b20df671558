"""Cases of every condition of the state tables: met, and broken in each clause in every way."""

import re
from collections.abc import Iterator
from typing import Any

from conformance.cases import Case, Place
from conformance.life import Life
from readdo.lifecycle.advance import Change, Refused, advance, check, move
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.collect_batch import BATCH
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.proof_chunk import CHUNK
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import NEW, Machine
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import NOWHERE, All, AnyOf, Clause, Compare, Exists, Missing, OneOf, Write, get_path
from support.table_cells import row_in

MACHINES = (
    ITEM,
    EXPORT,
    IMPORT,
    PROVIDER,
    WEBHOOK,
    DELIVERY,
    BACKUP,
    RESTORE,
    TASK,
    RUN,
    MIRROR,
    JOB,
    CHUNK,
    ASSIGNMENT,
    BATCH,
)

OF_INDEXES = {"due_at", "due_shard", "inbox", "queue", "queue_at"}  # index keys must be text


def leaves(clause: Clause) -> Iterator[Clause]:
    if isinstance(clause, All | AnyOf):
        for inner in clause.clauses:
            yield from leaves(inner)
    else:
        yield clause


def altered(clause: Clause, row: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the row with each field of the clause removed, lower, higher, other, or of another type."""
    for field in dict.fromkeys(leaf.field for leaf in leaves(clause) if not isinstance(leaf, All | AnyOf)):
        current = get_path(row, field)
        if field not in ("pk", "sk"):
            yield f"{field} gone", _with(row, field, NOWHERE)
            for name, value in _values(current):
                if isinstance(value, str) or field not in OF_INDEXES:
                    yield f"{field} {name}", _with(row, field, value)


def _values(current: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(current, str):
        yield from (("lower", current[:-1] or "!"), ("higher", current + "~"), ("another", "zzz"))
    elif isinstance(current, int | float):
        yield from (("lower", current - 1), ("higher", current + 1))
    elif current is None:
        yield from (("a text", "there"), ("a number", 7))


def _with(row: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    """Return a copy with the value set; missing maps on the path are created."""
    name, _, rest = field.partition(".")
    if not rest:
        return {k: v for k, v in {**row, name: value}.items() if v is not NOWHERE}
    inner = row.get(name, {})
    return {**row, name: _with(inner if isinstance(inner, dict) else {}, rest, value)}


def trigger_case(machine: Machine, status: str, trigger: str) -> Case:
    def act(place: Place) -> Any:
        row, params = row_in(machine, status, trigger)
        results = {}
        rows = {"met": row, **dict(altered(machine.guard(trigger), row)), "no row": None}
        for number, (name, before) in enumerate(rows.items()):
            key = place.has(f"row-{number}", **before) if before is not None else place.key("none")
            step = move(machine, trigger, key, who="x", at="now", change=Change(params=params))
            looked = check(machine, trigger, key, Change(params=params))
            results[name] = [
                place.transact(looked.write),
                _step_result(place, step),
                _without_mark(place.table.get(key)),
            ]
        return results

    return Case(f"table: {machine.name} {status} {trigger}", act)


def _step_result(place: Place, step: Any) -> Any:
    """Return the row after the step, or the name of the refusal and its row."""
    try:
        return _without_mark(advance(place.table, step))
    except Refused as refused:
        return [type(refused).__name__, refused.row]


def _without_mark(row: Any) -> Any:
    """Return the row without its random mark and without keys, which a put may or may not return."""
    return {name: value for name, value in row.items() if name not in ("last_write", "pk", "sk")} if row else row


def _trigger_cases() -> Iterator[Case]:
    for machine in MACHINES:
        for trigger in machine.triggers:
            for status in dict.fromkeys((*machine.sources(trigger), machine.states[0])):
                if status != NEW and NEW not in machine.sources(trigger):
                    yield trigger_case(machine, status, trigger)


CASES = list(_trigger_cases())


def replay_case(name: str, write: Write, before: dict[str, Any] | None) -> Case:
    """Return a case that repeats a write of the product.

    It runs on the original row, and on that row with each clause broken.
    """

    def act(place: Place) -> Any:
        results = {}
        rows: dict[str, Any] = {"as it was": before, "no row": None}
        if write.condition is not None:
            rows |= dict(altered(write.condition, _row_for(before, write)))
        for number, (how, row) in enumerate(rows.items()):
            key = place.has(f"row-{number}", **_without_keys(row)) if row is not None else place.key(f"none-{number}")
            again = Write(
                key, write.kind, write.condition, write.params, write.row,
                write.sets, write.adds, write.appends, write.removes,
            )  # fmt: skip
            results[how] = [place.transact(again), place.table.get(key)]
        return results

    return Case(f"written: {name}", act)


def written(life: Life) -> list[Case]:
    """Return one case for each kind of write in the recorded life cycle: its condition and its changes."""
    kinds: dict[str, tuple[Write, dict[str, Any] | None]] = {}
    for write, before in life.writes:
        changes = " ".join(sorted({*write.sets, *write.adds, *write.appends, *write.removes}))
        # A name that contains a random mark or a digest differs each time.
        kinds.setdefault(_RANDOM.sub("*", f"{write.kind} {write.condition} {changes}"), (write, before))
    return [replay_case(f"{n:03} {_short(write)}", write, before) for n, (write, before) in enumerate(kinds.values())]


_RANDOM = re.compile(r"[0-9a-f]{12}")


def _short(write: Write) -> str:
    what = write.row or write.sets
    return f"{write.kind} {write.key.sk.partition('#')[0]} {what.get('status', ' '.join([*what][:3]))}"


def _row_for(before: dict[str, Any] | None, write: Write) -> dict[str, Any]:
    """Return the row; for a missing row, one with the values that the condition compares with."""
    if before is not None:
        return before
    row: dict[str, Any] = {}
    for leaf in leaves(write.condition) if write.condition else ():
        match leaf:
            case Compare(field, _, value):
                row = _with(row, field, write.params[value.name] if hasattr(value, "name") else value)
            case OneOf(field, values):
                row = _with(row, field, values[0])
            case Exists(field) if field not in ("pk", "sk"):
                row = _with(row, field, "there")
            case Missing(_):
                pass
    return row


def _without_keys(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("pk", "sk")}
