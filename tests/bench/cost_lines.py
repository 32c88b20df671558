"""The bill in words: the table, and beneath it what was counted, what was measured and what is assumed."""

import argparse
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from bench.cost_table import Column, table
from bench.prices import bill, of_model, prices, region
from bench.story import Life
from bench.units import Place
from bench.usage import STEPS_WITH_MODEL, Assumed, Usage, seconds, transitions


def facts(life: Life, given: Assumed) -> dict[str, Any]:
    """What is not billed as such, and worth knowing."""
    rooms: dict[str, float] = defaultdict(float)
    own: dict[str, float] = defaultdict(float)
    for invocation in life.whole.invocations:
        rooms[invocation.room] += seconds(invocation, given)
        own[invocation.room] += invocation.own_seconds
    written = sum(life.whole.writes.values())
    return {
        "write_units": written,
        "write_units_to_floor": round(written / life.page.floor, 2),
        "read_units": sum(life.whole.reads.values()),
        "page_bytes": len(life.page.text.encode()),
        "transitions": {name: transitions(events) for name, events in life.histories.items()},
        "events": {name: len(events) for name, events in life.histories.items()},
        "milliseconds_measured": {room: round(own[room] * 1000, 1) for room in own},
        "milliseconds_assumed": {room: round(rooms[room] * 1000, 1) for room in rooms},
        "calls": len(life.whole.calls),
        "largest_row": max(life.kept()),
    }


def lines(found: dict[str, Any], asked: argparse.Namespace, given: Assumed) -> list[str]:
    at = prices() | of_model(asked.price_in, asked.price_out)
    english, chinese = found["used"]
    n = asked.items
    columns = [
        Column(f"one item ({life.page.name})", used)
        for life, used in zip(found["lives"], (english, chinese), strict=True)
    ]
    columns += [Column("one task", found["task"]), Column(f"{n:,} items (English)", english, n)]
    columns += [Column("a month without items", found["month"])]
    engine = (
        f"a model: {asked.input_tokens:,} + {asked.output_tokens:,} tokens for each of {len(STEPS_WITH_MODEL)} steps"
    )
    title = f"Read→Do on AWS, {region()}; {engine if asked.input_tokens else 'the extractive engine'}"
    said = [title, "", *table(columns, at), ""]
    for life in found["lives"]:
        known = facts(life, given)
        said += [
            f"{life.page.name}: a page of {known['page_bytes']:,} bytes, {known['calls']} calls to AWS",
            f"  write units {known['write_units']:g}, {known['write_units_to_floor']} × the floor of {life.page.floor}",
            f"  read units {known['read_units']:g}",
            f"  transitions {known['transitions']}, history events {known['events']}",
            f"  milliseconds measured here (its own work; a lower bound): {known['milliseconds_measured']}",
            f"  milliseconds assumed on AWS: {known['milliseconds_assumed']}",
        ]
    for name, used in found["looks"].items():
        said.append(
            f"{name}: {used['read_units']:g} read units, {used['invocations']} invocation, $" + f"{_of(used, at):.7f}"
        )
    metric = at["metrics"]
    said.append(
        f"Items give {found['metrics']} custom metrics: ${metric.of(found['metrics']):.2f} for a month that has items "
        f"in every hour, ${metric.after_free(found['metrics']):.2f} after the {metric.free:g} that are free"
    )
    unread = sorted({f"{p.service}: {p.what}" for p in prices().values() if p.read is None})
    return [*said, "", "Prices from prices.json; not looked up on the day, but as known in 2026: " + "; ".join(unread)]


def calls(life: Life) -> list[str]:
    """Where the units go, call by call."""
    return [
        f"  {c.room:14} {c.operation:20} {_units(c.meter.writes):>5} written {_units(c.meter.reads):>5} read"
        for c in life.whole.calls
    ]


def _units(spent: Mapping[Place, float]) -> str:
    return f"{sum(spent.values()):g}" if spent else "–"


def _of(used: Usage, at: Any) -> float:
    return sum(bill(used, at).values())
