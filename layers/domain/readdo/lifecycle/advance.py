"""Turn a transition into one conditional write, and a refused write into one of four exceptions.

NotFound   the row does not exist, or only its tombstone does
Replayed   the same transition was already made; `row` is its result
Forbidden  the table does not allow this trigger in the current state
Conflict   the state allows the trigger, but a condition failed: a lost race, a stale lease, another version
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from readdo import runtime
from readdo.lifecycle.state_machine import GONE, NEW, STAYS, Machine
from readdo.lifecycle.write import ABSENT, Clause, Key, OutcomeUnknown, Table, Write, WriteRefused, both, holds

AnyRow = TypeVar("AnyRow", bound=Mapping[str, Any])


class Refused(Exception):
    def __init__(self, machine: Machine, trigger: str, row: Mapping[str, Any] | None) -> None:
        self.machine, self.trigger, self.row = machine, trigger, row
        self.status = row["status"] if row else None
        super().__init__(f"{machine.name}: {trigger!r} from {self.status}")


class NotFound(Refused):
    pass


class Replayed(Refused):
    row: Mapping[str, Any]


class Forbidden(Refused):
    pass


class Conflict(Refused):
    pass


def living(row: AnyRow | None) -> AnyRow | None:
    """The row; None if it is missing or a tombstone."""
    return row if row is not None and "status" in row else None


@dataclass(frozen=True)
class Change:
    """The changes of a transition besides the status."""

    sets: Mapping[str, Any] = field(default_factory=dict)
    adds: Mapping[str, int] = field(default_factory=dict)
    removes: tuple[str, ...] = ()
    condition: Clause | None = None  # of the caller, in addition to the table's
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Move:
    machine: Machine
    trigger: str
    write: Write
    replay: Clause | None = None  # holds if the same transition was already made
    is_counted: bool = True  # the new state, in the metrics

    @property
    def target(self) -> str:
        return self.machine.target(self.trigger)

    def refusal(self, old: dict[str, Any] | None) -> Refused:
        if old is None or living(old) is None:
            return NotFound(self.machine, self.trigger, None)
        if self.replay is not None and holds(self.replay, old, self.write.params):
            return Replayed(self.machine, self.trigger, old)
        is_allowed = NEW not in self.machine.sources(self.trigger) and old["status"] in self.machine.sources(
            self.trigger
        )
        return (Conflict if is_allowed else Forbidden)(self.machine, self.trigger, old)


def create(
    machine: Machine,
    trigger: str,
    key: Key,
    row: Mapping[str, Any],
    *,
    who: str,
    at: str,
    past: tuple[Sequence[Any], int] = ((), 1),
) -> Move:
    """Create a row. `past`: the history and the version of a restored row."""
    entry = _entry(trigger, machine.target(trigger), who, at, row.get("run_id"))
    moves, version = past
    full = {
        **row,
        "status": machine.target(trigger),
        "version": version,
        "updated_at": at,
        **({"history": [*moves, entry]} if machine.keeps_history else {}),
        "last_write": secrets.token_hex(6),
    }
    return Move(machine, trigger, Write(key, "put", condition=ABSENT, row=full))


def move(
    machine: Machine,
    trigger: str,
    key: Key,
    *,
    who: str,
    at: str,
    run: str | None = None,
    change: Change | None = None,
    replay: Clause | None = None,
) -> Move:
    """A transition of an existing row. `run`: the run for the history, if the change does not set one.

    A transition to GONE replaces the row by a tombstone with only the fields in `sets`.
    """
    change = change or Change()
    target = machine.target(trigger)
    condition = both(machine.guard(trigger), change.condition)
    if target == GONE:
        tombstone = {**change.sets, "deleted_at": at, "last_write": secrets.token_hex(6)}
        return Move(machine, trigger, Write(key, "put", condition=condition, params=change.params, row=tombstone))
    sets = {"updated_at": at, **change.sets, "last_write": secrets.token_hex(6)}
    appends: dict[str, Sequence[Any]] = {}
    if target != STAYS:
        sets["status"] = target
    if target != STAYS and machine.keeps_history:
        of_run = change.sets.get("run_id") or change.params.get("run") or run
        appends["history"] = [_entry(trigger, target, who, at, of_run)]
    write = Write(
        key,
        condition=condition,
        params=change.params,
        sets=sets,
        adds={**change.adds, "version": 1},
        appends=appends,
        removes=change.removes,
    )
    return Move(machine, trigger, write, replay)


def check(machine: Machine, trigger: str, key: Key, change: Change | None = None) -> Move:
    """Only the guard of the row, for a transaction that does not change the row."""
    change = change or Change()
    condition = both(machine.guard(trigger), change.condition)
    return Move(machine, trigger, Write(key, "check", condition=condition, params=change.params))


def advance(table: Table, step: Move) -> dict[str, Any]:
    """Make a transition with one write. Returns the row after it, or raises one of the four exceptions."""
    try:
        row = table.write(step.write)
    except WriteRefused as refused:
        row = _ours_or_raise(refused, step)
    except OutcomeUnknown:
        current = table.get(step.write.key)
        if not current or not _is_ours(step.write, current):
            raise
        row = current
    _count(step)
    return row


def advance_all(table: Table, *steps: Move | Write) -> None:
    """Make transitions and their additional writes in one transaction.

    The first refused write decides: a transition raises one of the four exceptions, a plain write WriteRefused.
    """
    writes = [step.write if isinstance(step, Move) else step for step in steps]
    try:
        table.write(writes[0]) if len(writes) == 1 else table.transact(writes)
    except WriteRefused as refused:
        if not _was_made(table, writes):
            _ours_or_raise(refused, next(s for s, w in zip(steps, writes, strict=True) if w is refused.write))
    except OutcomeUnknown:
        if not _was_made(table, writes):
            raise
    _count(*steps)


def _count(*steps: Move | Write) -> None:
    for step in steps:
        if isinstance(step, Move) and step.write.kind != "check":
            state = step.target if step.is_counted and step.target not in (STAYS, GONE) else None
            runtime.count_transition(step.machine.name, step.trigger, state)


def _was_made(table: Table, writes: Sequence[Write]) -> bool:
    """A transaction is atomic, so one row with our mark proves that all writes were made."""
    marked = [write for write in writes if _mark(write)]
    return any(_is_ours(write, table.get(write.key) or {}) for write in marked)


def _ours_or_raise(refused: WriteRefused, step: Move | Write) -> dict[str, Any]:
    # The SDK retries a write whose response was lost. The retry is refused because the first attempt succeeded.
    if refused.old and _is_ours(refused.write, refused.old):
        return refused.old
    raise step.refusal(refused.old) if isinstance(step, Move) else refused


def _mark(write: Write) -> Any:
    return {**write.row, **write.sets}.get("last_write")


def _is_ours(write: Write, row: Mapping[str, Any]) -> bool:
    mark = _mark(write)
    return mark is not None and row.get("last_write") == mark


def _entry(trigger: str, target: str, who: str, at: str, run_id: str | None) -> dict[str, str]:
    # No `from`: the write does not know the source state. It is the `to` of the previous entry.
    return {"at": at, "by": who, "what": trigger, "to": target} | ({"run": run_id} if run_id else {})
