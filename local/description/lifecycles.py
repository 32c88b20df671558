"""Generate docs/lifecycles.md from the tables of transitions."""

from collections.abc import Iterator

from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.delivery import DELIVERY
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.mirror import MIRROR
from readdo.lifecycle.provider import PROVIDER
from readdo.lifecycle.restore import RESTORE
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import GONE, NEW, STAYS, Machine
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK

INTRODUCTION = """\
# Lifecycles

This page is generated from the tables in `layers/domain/readdo/lifecycle/` (`make generate`). The database refuses
every transition that is not in a table, because each row becomes the condition of a write.

`(stays)`: the trigger is allowed and does not change the state. `(gone)`: only a tombstone remains.
"""

MACHINES = (ITEM, EXPORT, IMPORT, TASK, RUN, PROVIDER, WEBHOOK, DELIVERY, BACKUP, RESTORE, MIRROR)


def page() -> str:
    return "\n".join([INTRODUCTION, *(section for machine in MACHINES for section in _of(machine))])


def _of(machine: Machine) -> Iterator[str]:
    yield f"## {machine.name.capitalize()}\n"
    yield "```mermaid\nstateDiagram-v2"
    yield from _diagram(machine)
    yield "```\n"
    yield "| from | to | by | trigger | only if |\n|---|---|---|---|---|"
    for row in machine.rows:
        words = machine.conditions[row.when].words if row.when else ""
        yield f"| {row.source} | {row.target} | {row.by} | `{row.trigger}` | {words} |"
    yield ""


def _diagram(machine: Machine) -> Iterator[str]:
    """Draw one arrow for all triggers between two states. One arrow for each row would be unreadable."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in machine.rows:
        if row.target != STAYS:
            arrows.setdefault((row.source, row.target), []).append(row.trigger)
    for (source, target), triggers in arrows.items():
        start, end = ("[*]" if state in (NEW, GONE) else state for state in (source, target))
        yield f"    {start} --> {end}: {', '.join(triggers)}"
    for state in sorted(machine.final):
        yield f"    {state} --> [*]"
