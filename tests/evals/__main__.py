"""`make evals`, or `python -m evals`: 0 passed, 1 the gate failed, 2 the runner itself could not do it."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from . import cases, engines, gate
from .play import play
from .report import Run, written
from .rubric import LEVELS
from .runner_errors import Told


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals", description="Judge an engine by its cases.")
    # The shell may have spread the pattern out before it got here: hence several.
    parser.add_argument(
        "--cases", nargs="+", metavar="GLOB", default=[cases.DEFAULT], help="default: the product's own"
    )
    parser.add_argument("--out", type=Path, metavar="PATH", help=".html and .json say the form; else --format")
    parser.add_argument("--format", choices=("json", "text"), default="text")
    parser.add_argument("--fail-on", choices=LEVELS, default="P1", help="the last level that must pass (P1)")
    parser.add_argument("--profile", choices=engines.PROFILES, default="engineer")
    parser.add_argument("--engine", choices=engines.NAMES, default="extractive")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    asked = arguments(given)
    # Where the product's rooms are told to find their schemas.
    os.environ.setdefault("SCHEMAS_DIR", str(Path(__file__).parents[2] / "schemas"))
    try:
        return _run(asked)
    except Told as told:
        print(f"evals: {told}", file=sys.stderr)
        return 2
    except OSError as odd:
        print(f"evals: {odd.filename or ''}: {odd.strerror or odd}", file=sys.stderr)
        return 2


def _run(asked: argparse.Namespace) -> int:
    if asked.out and (asked.out.is_dir() or not asked.out.absolute().parent.is_dir()):
        raise Told(f"{asked.out} is no file that could be written: its folder must exist.")
    found = cases.load(asked.cases)
    engine = engines.engine(asked.engine, asked.profile)
    outcomes = play(engine, found, _progress(len(found)))
    run = Run(engine.name, engine.profile, engine.versions(), asked.fail_on, outcomes)
    if asked.out:
        form = asked.out.suffix.lstrip(".") if asked.out.suffix in {".html", ".json"} else asked.format
        asked.out.write_text(written(run, form), encoding="utf-8")
        print(f"{asked.out} is written.", file=sys.stderr)
    print(written(run, "short" if asked.out else asked.format), end="")
    return 0 if gate.passes(run.rows, asked.fail_on) else 1


def _progress(total: int) -> Callable[[int, str], None]:
    """On a terminal one line that changes; in a log a line now and then."""
    live = sys.stderr.isatty()

    def told(number: int, name: str) -> None:
        if live:
            print(f"\r\033[K{number}/{total} {name}", end="\n" if number == total else "", file=sys.stderr, flush=True)
        elif number % 10 == 0 or number == total:
            print(f"{number} of {total} cases", file=sys.stderr)

    return told


if __name__ == "__main__":
    sys.exit(main())
