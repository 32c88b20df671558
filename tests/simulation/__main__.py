"""Command line: `python -m simulation soak 1000000` or `… replay SEED`.

`soak` runs histories and lists those that fail, `replay` prints one of them.
"""

import argparse
import secrets
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from simulation import crowd, expected
from simulation.history import played
from simulation.surroundings import stage_set

_CONSOLE = Console()


def soak(count: int, first: int) -> int:
    _CONSOLE.print(f"{count:,} histories, seeds {first} to {first + count - 1}")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    began = time.monotonic()
    with Progress(*columns, console=_CONSOLE) as progress:
        bar = progress.add_task("none wrong", total=count)

        def show_progress(tally: crowd.Tally) -> None:
            wrong = len(tally.wrong)
            progress.update(bar, completed=tally.histories, description=f"{wrong} wrong" if wrong else "none wrong")

        tally = crowd.play(range(first, first + count), show_progress)
    _CONSOLE.print(_event_table(tally))
    for seed, wrong in sorted(tally.wrong.items())[:20]:
        _CONSOLE.print(f"seed {seed}: {wrong}\n    make replay SEED={seed}", style="red", markup=False, highlight=False)
    seconds = time.monotonic() - began
    _CONSOLE.print(f"{tally.histories:,} histories in {seconds:.0f} s, {len(tally.wrong)} wrong")
    return 1 if tally.wrong else 0


def replay(seed: int) -> int:
    with stage_set():
        outcome = played(seed, verbose=True)
    sys.stdout.write("\n".join(outcome.lines) + "\n")
    sys.stdout.write(f"\nseed {seed}: {outcome.wrong or 'every invariant holds'}\n")
    return 1 if outcome.wrong else 0


def _event_table(tally: crowd.Tally) -> Table:
    table = Table("event", "seen", title="What happened in them", title_justify="left")
    table.columns[1].justify = "right"
    for event, count in crowd.events(tally):
        rare = event in expected.events() and count < expected.OFTEN
        table.add_row(event, f"{count:,}", style="yellow" if rare else "")
    for event in expected.events():
        if not tally.seen[event]:
            table.add_row(event, "never", style="yellow")
    return table


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m simulation")
    verbs = parser.add_subparsers(dest="verb", required=True)
    soak_parser = verbs.add_parser("soak", help="play many histories")
    soak_parser.add_argument("count", type=int)
    soak_parser.add_argument("--first", type=int, default=secrets.randbelow(10**9), help="the first seed (drawn)")
    replay_parser = verbs.add_parser("replay", help="tell one history")
    replay_parser.add_argument("seed", type=int)
    arguments = parser.parse_args()
    return soak(arguments.count, arguments.first) if arguments.verb == "soak" else replay(arguments.seed)


if __name__ == "__main__":
    sys.exit(main())
