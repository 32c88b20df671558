"""Measure speed, size and cost against their targets: `make bench`.

A time is compared with a floor measured in the same run; counts are the same on every machine.
The exit code is 1 if a target is missed. Tests check the counts too, so only times can differ from run to run.
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

# Name on the command line → module whose `figures` measures it. The quick ones come first.
PARTS = {
    "imports": "bench.import_times",
    "sizes": "bench.package_sizes",
    "units": "bench.item_figures",
    "model": "bench.model_calls",
    "inbox": "bench.inbox_looks",
    "page": "bench.page_looks",
    "work": "bench.work_looks",
    "proof": "bench.proof_figures",
    "collect": "bench.collect_figures",
    "stack": "bench.stack_times",
    "local": "bench.local_table",
}


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--json", type=Path, default=ROOT / ".local/bench.json", help="file to write the figures to")
    return parser.parse_args(argv)


def measure(parts: Sequence[str], console: Console) -> list[Figure]:
    figures: list[Figure] = []
    for name in parts:
        # Output of the functions is not part of the table.
        with console.status(name) as status, redirect_stdout(io.StringIO()):
            figures += importlib.import_module(PARTS[name]).figures(_progress_reporter(console, name, status.update))
    return figures


def _progress_reporter(console: Console, part: str, update: Say) -> Say:
    """Return a progress reporter: one live line in a terminal, a line per step elsewhere."""

    def say(text: str) -> None:
        (update if console.is_terminal else console.print)(f"{part}: {text}")

    return say


def as_json(figures: Sequence[Figure]) -> dict[str, Any]:
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.platform()}
    about = {"date": datetime.now(UTC).isoformat(timespec="seconds"), "commit": _commit(), "machine": machine}
    return {**about, "figures": [figure.as_json() for figure in figures]}


def _commit() -> str:
    """Return the commit that is measured, with `+` if there are uncommitted changes."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty=+"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603 - git, by us


def main() -> int:
    options = arguments()
    figures = measure(options.only, Console(stderr=True))
    show(figures)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(as_json(figures), indent=2, ensure_ascii=False) + "\n", "utf-8")
    missed = [figure.name for figure in figures if figure.met is False]
    print(
        f"\n{len(missed)} {'target' if len(missed) == 1 else 'targets'} missed: {', '.join(missed)}."
        if missed
        else "\nAll targets are met."
    )
    print(f"JSON: {options.json}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
