"""docs/lifecycles.md from the tables. `--check` says whether the page still agrees with them."""

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "layers" / "domain"))

from readdo.lifecycle.export import EXPORT  # noqa: E402 - the path must be set first
from readdo.lifecycle.item import ITEM  # noqa: E402
from readdo.lifecycle.machine import GONE, NEW, STAYS, Machine  # noqa: E402

PAGE = ROOT / "docs" / "lifecycles.md"
INTRODUCTION = """\
# Lifecycles

This page is generated from the tables in `layers/domain/readdo/lifecycle/` (`make generate`). What is not in a table
is refused, by the database: every row becomes the condition of a write.

`(stays)` is something that may be asked for in a state without leaving it; `(gone)` leaves nothing but a tombstone.
"""


def page() -> str:
    return "\n".join([INTRODUCTION, *(section for machine in (ITEM, EXPORT) for section in _of(machine))])


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
    """One arrow for all the triggers between two states: a picture of every row would be no picture."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in machine.rows:
        if row.target != STAYS:
            arrows.setdefault((row.source, row.target), []).append(row.trigger)
    for (source, target), triggers in arrows.items():
        start, end = ("[*]" if state in (NEW, GONE) else state for state in (source, target))
        yield f"    {start} --> {end}: {', '.join(triggers)}"
    for state in sorted(machine.final):
        yield f"    {state} --> [*]"


def main() -> int:
    made = page()
    if "--check" not in sys.argv:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(made, encoding="utf-8")
        print(f"written: {PAGE.relative_to(ROOT)}")
        return 0
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        print(f"{PAGE.relative_to(ROOT)} does not agree with the tables. Run: make generate")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
