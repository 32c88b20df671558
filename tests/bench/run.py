"""How fast, how large and how dear: `make bench` measures all that is promised, and prints it beside its target.

A time is held against a floor that was measured in the same run, beside it; what is counted is the same everywhere.
It ends with 1 if a target is missed. What is counted is tested too, so only the times may surprise here.
"""

import argparse
import importlib
import io
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from bench.figure import Figure, Say
from bench.figure_table import show
from support.template import ROOT

# A word to choose it by → its module, whose `figures` measures. The quick ones first.
PARTS = {
    "imports": "bench.import_times",
    "sizes": "bench.package_sizes",
    "units": "bench.item_figures",
    "model": "bench.model_calls",
    "inbox": "bench.inbox_looks",
    "page": "bench.page_looks",
    "work": "bench.work_looks",
    "stack": "bench.stack_times",
}


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--json", type=Path, default=ROOT / ".local/bench.json", help="where it is written to")
    return parser.parse_args(given)


def measured(parts: Sequence[str], console: Console) -> list[Figure]:
    found: list[Figure] = []
    for name in parts:
        # The rooms' own lines are no part of the table.
        with console.status(name) as status, redirect_stdout(io.StringIO()):
            found += importlib.import_module(PARTS[name]).figures(_teller(console, name, status.update))
    return found


def _teller(console: Console, part: str, update: Say) -> Say:
    """A line that lives on a terminal; elsewhere a line for each thing that is begun."""

    def say(text: str) -> None:
        (update if console.is_terminal else console.print)(f"{part}: {text}")

    return say


def told(figures: Sequence[Figure]) -> dict[str, Any]:
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.platform()}
    about = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "commit": _commit(), "machine": machine}
    return {**about, "figures": [figure.told() for figure in figures]}


def _commit() -> str:
    """What is measured: `+` if files were changed since."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - git, by us


def main() -> int:
    asked = arguments()
    found = measured(asked.only, Console(stderr=True))
    show(found)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    asked.json.write_text(json.dumps(told(found), indent=2, ensure_ascii=False) + "\n", "utf-8")
    missed = [figure.name for figure in found if figure.met is False]
    print(f"\n{len(missed)} missed: {', '.join(missed)}." if missed else "\nEvery target is met.")
    print(f"For machines: {asked.json}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
