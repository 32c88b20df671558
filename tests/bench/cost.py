"""What 1,000 items cost on AWS: `make cost`, or `cost.py --items 1000 --json FILE`.

One English and one Chinese page and one task are played through the real handlers and workflows, and every call is
counted.
Measured: request units from the bytes of every row written and read, requests, transitions, bytes stored and logged.
Assumed, because only AWS can say it: how long a function lasts. It is taken as the work that was measured here, at the
share of a processor that its memory gives it, and so many milliseconds for each call to AWS (--call-milliseconds);
--milliseconds sets it instead. Cold starts are not in it. With --input-tokens the steps that a model would do are
billed for its tokens, and wait for it.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from bench import standing, task_life
from bench.cost_lines import calls, facts, lines
from bench.prices import bill, of_model, prices, region
from bench.story import CHINESE, ENGLISH, Life, play, stage
from bench.usage import Assumed, metrics_of, of_life, of_record


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--milliseconds", type=float, help="how long each invocation lasts")
    parser.add_argument("--call-milliseconds", type=float, default=10.0, help="how long a call to AWS lasts")
    parser.add_argument("--input-tokens", type=int, default=0, help="of one step's call to a model")
    parser.add_argument("--output-tokens", type=int, default=600)
    parser.add_argument("--price-in", type=float, default=0.40, help="dollars for a million tokens")
    parser.add_argument("--price-out", type=float, default=1.60)
    parser.add_argument("--model-seconds", type=float, default=6.0)
    parser.add_argument("--calls", action="store_true", help="each call of the English item, with its units")
    parser.add_argument("--json", type=Path)
    return parser.parse_args(given)


def assumed(asked: argparse.Namespace) -> Assumed:
    model = (asked.model_seconds, asked.input_tokens, asked.output_tokens) if asked.input_tokens else (0.0, 0, 0)
    return Assumed(asked.milliseconds, asked.call_milliseconds, *model)


def measure(given: Assumed) -> dict[str, Any]:
    """The lives that were played, a task's, one look, and the month that stands."""
    with stage() as (made, record):
        lives = [play(made, record, page) for page in (ENGLISH, CHINESE)]
        task = task_life.of_task(task_life.play(made, record), given)
        metrics = len(metrics_of(record))
        month = standing.of_month(made, record, given)
    looks = {name: of_record(found, given) for name, found in lives[0].phases.items() if name.startswith("one look")}
    return {
        "lives": lives,
        "used": [of_life(life, given) for life in lives],
        "task": task,
        "looks": looks,
        "month": month,
        "metrics": metrics,
    }


def told(found: dict[str, Any], asked: argparse.Namespace) -> dict[str, Any]:
    """The same for machines."""
    at = prices() | of_model(asked.price_in, asked.price_out)
    lives: list[Life] = found["lives"]
    items = {
        life.page.name: {"used": used, "dollars": bill(used, at), "facts": facts(life, assumed(asked))}
        for life, used in zip(lives, found["used"], strict=True)
    }
    month = {"used": found["month"], "dollars": bill(found["month"], at)}
    also = {"task": found["task"], "looks": found["looks"], "metrics_that_items_give": found["metrics"]}
    return {"region": region(), "assumed": vars(assumed(asked)), "items": items, "month": month} | also


def main() -> None:
    asked = arguments()
    found = measure(assumed(asked))
    print("\n".join(lines(found, asked, assumed(asked))))
    if asked.calls:
        print("\n".join(["", *calls(found["lives"][0])]))
    if asked.json:
        asked.json.write_text(json.dumps(told(found, asked), indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
