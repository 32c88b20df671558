"""Compute what 1,000 items cost on AWS: `make cost`, or `cost.py --items 1000 --json FILE`.

One English page, one Chinese page, one task and one text run through the real handlers and workflows, and every call is
counted.
Measured: request units from the bytes of every row written and read, requests, transitions, bytes stored and logged.
Assumed, because only AWS can measure it: how long a function runs. The estimate is the work measured here, at the
share of a processor that its memory gives it, plus a fixed time for each call to AWS (--call-milliseconds);
--milliseconds replaces the estimate. Cold starts are not included. With --input-tokens the steps that call a model are
billed for its tokens, and include the time of its answer.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from bench import proof_figures, standing, task_life
from bench.cost_lines import calls, facts, lines
from bench.prices import bill, of_model, prices, region
from bench.story import CHINESE, ENGLISH, Life, play, stage
from bench.usage import Assumptions, metrics_of, of_life, of_record


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--milliseconds", type=float, help="duration of each invocation")
    parser.add_argument("--call-milliseconds", type=float, default=10.0, help="duration of a call to AWS")
    parser.add_argument("--input-tokens", type=int, default=0, help="input tokens of one step's call to a model")
    parser.add_argument("--output-tokens", type=int, default=600)
    parser.add_argument("--price-in", type=float, default=0.40, help="dollars per million input tokens")
    parser.add_argument("--price-out", type=float, default=1.60)
    parser.add_argument("--model-seconds", type=float, default=6.0)
    parser.add_argument("--calls", action="store_true", help="list each call of the English item, with its units")
    parser.add_argument("--json", type=Path)
    return parser.parse_args(argv)


def assumptions_of(options: argparse.Namespace) -> Assumptions:
    model = (
        (options.model_seconds, options.input_tokens, options.output_tokens) if options.input_tokens else (0.0, 0, 0)
    )
    return Assumptions(options.milliseconds, options.call_milliseconds, *model)


def measure(assumptions: Assumptions) -> dict[str, Any]:
    """Run two items and one task; return their usage, the read costs and the monthly base cost."""
    with stage() as (world, record):
        lives = [play(world, record, page) for page in (ENGLISH, CHINESE)]
        task = task_life.of_task(task_life.play(world, record), assumptions)
        metrics = len(metrics_of(record))
        month = standing.of_month(world, record, assumptions)
        text = proof_figures.usage_of_a_chunk(world, record, assumptions)
    looks = {
        name: of_record(phase, assumptions) for name, phase in lives[0].phases.items() if name.startswith("one look")
    }
    return {
        "lives": lives,
        "used": [of_life(life, assumptions) for life in lives],
        "task": task,
        "chunk": text,
        "looks": looks,
        "month": month,
        "metrics": metrics,
    }


def as_json(measured: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """Return the report as JSON-ready data."""
    at = prices() | of_model(options.price_in, options.price_out)
    lives: list[Life] = measured["lives"]
    items = {
        life.page.name: {"used": used, "dollars": bill(used, at), "facts": facts(life, assumptions_of(options))}
        for life, used in zip(lives, measured["used"], strict=True)
    }
    month = {"used": measured["month"], "dollars": bill(measured["month"], at)}
    also = {
        "task": measured["task"],
        "chunk": measured["chunk"],
        "looks": measured["looks"],
        "metrics_that_items_give": measured["metrics"],
    }
    return {"region": region(), "assumed": vars(assumptions_of(options)), "items": items, "month": month} | also


def main() -> None:
    options = arguments()
    measured = measure(assumptions_of(options))
    print("\n".join(lines(measured, options, assumptions_of(options))))
    if options.calls:
        print("\n".join(["", *calls(measured["lives"][0])]))
    if options.json:
        options.json.write_text(json.dumps(as_json(measured, options), indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
