"""Every condition that the tables ask for: met, and broken in each clause in each way there is."""

import re
from collections.abc import Iterator
from typing import Any

from conformance.cases import Case, Place
from conformance.life import Life
from readdo.lifecycle import paths
from readdo.lifecycle.advance import Change, Refused, advance, check, move
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.conditions import All, AnyOf, Clause, Compare, Exists, Missing, OneOf
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.machine import NEW, Machine
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Write
from support.table_cells import row_in

MACHINES = (ITEM, EXPORT, IMPORT, PROVIDER, WEBHOOK, DELIVERY, BACKUP, RESTORE, TASK, RUN, MIRROR)

OF_INDEXES = {"due_at", "due_shard", "inbox", "queue", "queue_at"}  # a row with anything but text there is no row


def leaves(clause: Clause) -> Iterator[Clause]:
    if isinstance(clause, All | AnyOf):
        for inner in clause.clauses:
            yield from leaves(inner)
    else:
        yield clause


def altered(clause: Clause, row: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The row with what each clause looks at gone, lower, higher, another, of another type."""
    for field in dict.fromkeys(leaf.field for leaf in leaves(clause) if not isinstance(leaf, All | AnyOf)):
        held = paths.get(row, field)
        if field not in ("pk", "sk"):
            yield f"{field} gone", _with(row, field, paths.NOWHERE)
            for name, value in _values(held):
                if isinstance(value, str) or field not in OF_INDEXES:
                    yield f"{field} {name}", _with(row, field, value)


def _values(held: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(held, str):
        yield from (("lower", held[:-1] or "!"), ("higher", held + "~"), ("another", "zzz"))
    elif isinstance(held, int | float):
        yield from (("lower", held - 1), ("higher", held + 1))
    elif held is None:
        yield from (("a text", "there"), ("a number", 7))


def _with(row: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    """A copy; the maps on the way are made."""
    name, _, rest = field.partition(".")
    if not rest:
        return {k: v for k, v in {**row, name: value}.items() if v is not paths.NOWHERE}
    inner = row.get(name, {})
    return {**row, name: _with(inner if isinstance(inner, dict) else {}, rest, value)}


def pulled(machine: Machine, status: str, trigger: str) -> Case:
    def act(place: Place) -> Any:
        row, params = row_in(machine, status, trigger)
        told = {}
        rows = {"met": row, **dict(altered(machine.guard(trigger), row)), "no row": None}
        for number, (name, before) in enumerate(rows.items()):
            key = place.has(f"row-{number}", **before) if before is not None else place.key("none")
            step = move(machine, trigger, key, who="x", at="now", change=Change(params=params))
            looked = check(machine, trigger, key, Change(params=params))
            told[name] = [place.transact(looked.write), _word(place, step), _marked_off(place.table.get(key))]
        return told

    return Case(f"table: {machine.name} {status} {trigger}", act)


def _word(place: Place, step: Any) -> Any:
    """Which of the four words, and the row that it is about."""
    try:
        return _marked_off(advance(place.table, step))
    except Refused as refused:
        return [type(refused).__name__, refused.row]


def _marked_off(row: Any) -> Any:
    """A write's mark is drawn by lot; and whether a put answers its key is nobody's matter."""
    return {name: value for name, value in row.items() if name not in ("last_write", "pk", "sk")} if row else row


def _pulls() -> Iterator[Case]:
    for machine in MACHINES:
        for trigger in machine.triggers:
            for status in dict.fromkeys((*machine.sources(trigger), machine.states[0])):
                if status != NEW and NEW not in machine.sources(trigger):
                    yield pulled(machine, status, trigger)


CASES = list(_pulls())


def replayed(name: str, write: Write, before: dict[str, Any] | None) -> Case:
    """A write as the product made it, over the row that it met, and over that row with each clause broken."""

    def act(place: Place) -> Any:
        told = {}
        rows: dict[str, Any] = {"as it was": before, "no row": None}
        if write.condition is not None:
            rows |= dict(altered(write.condition, _known(before, write)))
        for number, (how, row) in enumerate(rows.items()):
            key = place.has(f"row-{number}", **_bare(row)) if row is not None else place.key(f"none-{number}")
            again = Write(
                key, write.kind, write.condition, write.params, write.row,
                write.sets, write.adds, write.appends, write.removes,
            )  # fmt: skip
            told[how] = [place.transact(again), place.table.get(key)]
        return told

    return Case(f"written: {name}", act)


def written(life: Life) -> list[Case]:
    """One case for each kind of write that a life has: what it asks for, and what it changes."""
    kinds: dict[str, tuple[Write, dict[str, Any] | None]] = {}
    for write, before in life.writes:
        changes = " ".join(sorted({*write.sets, *write.adds, *write.appends, *write.removes}))
        # A name that has a mark or a digest in it is another each time.
        kinds.setdefault(_DRAWN.sub("*", f"{write.kind} {write.condition} {changes}"), (write, before))
    return [replayed(f"{n:03} {_short(write)}", write, before) for n, (write, before) in enumerate(kinds.values())]


_DRAWN = re.compile(r"[0-9a-f]{12}")


def _short(write: Write) -> str:
    what = write.row or write.sets
    return f"{write.kind} {write.key.sk.partition('#')[0]} {what.get('status', ' '.join([*what][:3]))}"


def _known(before: dict[str, Any] | None, write: Write) -> dict[str, Any]:
    """Where no row was, one that holds what the condition compares with."""
    if before is not None:
        return before
    known: dict[str, Any] = {}
    for leaf in leaves(write.condition) if write.condition else ():
        match leaf:
            case Compare(field, _, value):
                known = _with(known, field, write.params[value.name] if hasattr(value, "name") else value)
            case OneOf(field, values):
                known = _with(known, field, values[0])
            case Exists(field) if field not in ("pk", "sk"):
                known = _with(known, field, "there")
            case Missing(_):
                pass
    return known


def _bare(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("pk", "sk")}
