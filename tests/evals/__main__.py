"""Command line of the evals: `make evals` or `python -m evals`.

Exit codes: 0 passed, 1 the gate failed, 2 the runner failed.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from . import cases, engines, gate
from .play import play
from .report import Run, render
from .rubric import LEVELS
from .runner_errors import RunnerError


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="evals", description="Run an engine on the cases and judge its results.")
    # The shell may expand the pattern into several arguments.
    parser.add_argument(
        "--cases", nargs="+", metavar="GLOB", default=[cases.DEFAULT], help="default: the cases of the product"
    )
    parser.add_argument("--out", type=Path, metavar="PATH", help=".html and .json set the format; otherwise --format")
    parser.add_argument("--format", choices=("json", "text"), default="text")
    parser.add_argument("--fail-on", choices=LEVELS, default="P1", help="the last level that must pass (P1)")
    parser.add_argument("--profile", choices=engines.PROFILES, default="engineer")
    parser.add_argument("--engine", choices=engines.NAMES, default="extractive")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(argv)
    # The product reads its schemas from this folder.
    os.environ.setdefault("SCHEMAS_DIR", str(Path(__file__).parents[2] / "schemas"))
    try:
        return _run(options)
    except RunnerError as error:
        print(f"evals: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"evals: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    if options.out and (options.out.is_dir() or not options.out.absolute().parent.is_dir()):
        raise RunnerError(f"{options.out} cannot be written: it must be a file in an existing folder.")
    selected = cases.load(options.cases)
    engine = engines.engine(options.engine, options.profile)
    outcomes = play(engine, selected, _progress(len(selected)))
    run = Run(engine.name, engine.profile, engine.versions(), options.fail_on, outcomes)
    if options.out:
        form = options.out.suffix.lstrip(".") if options.out.suffix in {".html", ".json"} else options.format
        options.out.write_text(render(run, form), encoding="utf-8")
        print(f"{options.out} written.", file=sys.stderr)
    print(render(run, "short" if options.out else options.format), end="")
    return 0 if gate.passes(run.rows, options.fail_on) else 1


def _progress(total: int) -> Callable[[int, str], None]:
    """Return a progress reporter: one live line in a terminal, a line every ten cases in a log."""
    live = sys.stderr.isatty()

    def report(number: int, name: str) -> None:
        if live:
            print(f"\r\033[K{number}/{total} {name}", end="\n" if number == total else "", file=sys.stderr, flush=True)
        elif number % 10 == 0 or number == total:
            print(f"{number} of {total} cases", file=sys.stderr)

    return report


if __name__ == "__main__":
    sys.exit(main())
