"""Events that a run of histories must contain often enough: every transition and every kind of fault."""

from dataclasses import fields

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from simulation.network import Faults

OFTEN = 100  # in 10,000 histories

_EVENTS_OF_FAULT = {
    "twice": ("a room is invoked twice", "a second invocation is late, out of order"),
    "vanish": ("an execution vanishes",),
    "vanish_export": ("an execution vanishes",),
    "vanish_slices": ("an execution vanishes",),
    "late": ("an execution comes late",),
    "stale": ("fault: an index is stale", "fault: an eventual read is stale"),
    "model": ("the model fails",),
    "site": ("the site fails",),
    "renderer": ("the renderer fails",),
}
_ONLY_CHECKED = {"item: export_retry"}  # checked within an export's transition, never a transition itself
_OTHER_EVENTS = (
    *("a clock is wrong", "fault: slept past the lease", "a stale worker tries to write", "refused"),
    *("a lost answer does no harm", "a file was there already", "a history is folded", "a tombstone is buried"),
    *("a room is invoked again", "a room takes longer than it may", "an execution fails", "a client asks again"),
    *("captured before", "joined", "a no: 404", "a no: 409", "a no: 422", "an item is looked at"),
    *("a failure waits and is not counted", "two heartbeats at once", "the heartbeat: lost_a_race"),
    *(
        "the heartbeat: no_longer_due",
        "the heartbeat: sweep_away",
        "the heartbeat: bury",
        "a worker is not heard of again",
        "nothing to do",
    ),
    *(f"{room} leaves, since it holds nothing" for room in ("lease", "extract", "summarize", "score", "todos", "card")),
    *(f"{room} leaves, since it holds nothing" for room in ("gate", "export", "record_failure")),
    *(f"{room} leaves, since it holds nothing" for room in ("read_file", "import_lines", "backup")),
    "restore leaves, since it holds nothing",
    *("a backup with items is done", "a restore with items is done"),
)


def events() -> tuple[str, ...]:
    """Return the expected events.

    They come from the state tables and the list of faults, so that a new row or a new fault must occur as well.
    """
    moves = [
        f"{machine.name}: {trigger}"
        for machine in (ITEM, EXPORT, PROVIDER, TASK, RUN, IMPORT, BACKUP, RESTORE)
        for trigger in machine.triggers
    ]
    faults = [name for f in fields(Faults) for name in _EVENTS_OF_FAULT.get(f.name, (f"fault: {f.name}",))]
    return tuple(dict.fromkeys(event for event in (*moves, *faults, *_OTHER_EVENTS) if event not in _ONLY_CHECKED))
