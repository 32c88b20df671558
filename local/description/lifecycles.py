"""Generate docs/lifecycles.md from the tables of transitions."""

import importlib
from collections.abc import Iterator
from pkgutil import iter_modules

from readdo import lifecycle
from readdo.lifecycle.state_machine import GONE, NEW, STAYS, Machine

INTRODUCTION = """\
# Lifecycles

This page is generated from the tables in `layers/domain/readdo/lifecycle/` (`make generate`). The database refuses
every transition that is not in a table, because each row becomes the condition of a write.

`(stays)`: the trigger is allowed and does not change the state. `(gone)`: only a tombstone remains.
"""


def _machines() -> list[Machine]:
    """The machine of each module with a table: items first, then in the order of the modules' names."""
    modules = [importlib.import_module(f"readdo.lifecycle.{found.name}") for found in iter_modules(lifecycle.__path__)]
    machines = [value for module in modules for value in vars(module).values() if isinstance(value, Machine)]
    by_name = {machine.name: machine for machine in machines}
    return sorted(by_name.values(), key=lambda machine: machine.name != "item")


MACHINES = _machines()


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
