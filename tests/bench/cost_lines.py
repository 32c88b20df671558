"""Print the bill: the cost table, then what was counted, measured and assumed."""

import argparse
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from bench.cost_table import Column, table
from bench.prices import bill, of_model, prices, region
from bench.story import Life
from bench.units import Place
from bench.usage import STEPS_WITH_MODEL, Assumptions, Usage, seconds, transitions


def facts(life: Life, assumptions: Assumptions) -> dict[str, Any]:
    """Return figures that are not billed but help to explain the bill."""
    rooms: dict[str, float] = defaultdict(float)
    own: dict[str, float] = defaultdict(float)
    for invocation in life.whole.invocations:
        rooms[invocation.room] += seconds(invocation, assumptions)
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
        "largest_row": max(life.stored_sizes()),
    }


def lines(measured: dict[str, Any], options: argparse.Namespace, assumptions: Assumptions) -> list[str]:
    at = prices() | of_model(options.price_in, options.price_out)
    english, chinese = measured["used"]
    n = options.items
    columns = [
        Column(f"one item ({life.page.name})", used)
        for life, used in zip(measured["lives"], (english, chinese), strict=True)
    ]
    columns += [Column("one task", measured["task"]), Column(f"{n:,} items (English)", english, n)]
    columns += [Column("1,000 chunks of a text", measured["chunk"], 1000)]
    columns += [Column("a month with no items", measured["month"])]
    engine = (
        f"a model: {options.input_tokens:,} + {options.output_tokens:,} tokens in each of {len(STEPS_WITH_MODEL)} steps"
    )
    title = f"Read→Do on AWS, {region()}; {engine if options.input_tokens else 'the extractive engine'}"
    output = [title, "", *table(columns, at), ""]
    for life in measured["lives"]:
        figures = facts(life, assumptions)
        output += [
            f"{life.page.name}: a page of {figures['page_bytes']:,} bytes, {figures['calls']} calls to AWS",
            f"  write units {figures['write_units']:g}, {figures['write_units_to_floor']} × floor {life.page.floor}",
            f"  read units {figures['read_units']:g}",
            f"  transitions {figures['transitions']}, history events {figures['events']}",
            f"  milliseconds measured here (processor time only; a lower bound): {figures['milliseconds_measured']}",
            f"  milliseconds assumed on AWS: {figures['milliseconds_assumed']}",
        ]
    for name, used in measured["looks"].items():
        output.append(
            f"{name}: {used['read_units']:g} read units, {used['invocations']} invocation, $" + f"{_of(used, at):.7f}"
        )
    metric = at["metrics"]
    output.append(
        f"Items create {measured['metrics']} custom metrics: ${metric.of(measured['metrics']):.2f} for a month "
        f"with items in every hour, ${metric.after_free(measured['metrics']):.2f} after the free {metric.free:g}"
    )
    unread = sorted({f"{p.service}: {p.what}" for p in prices().values() if p.read is None})
    return [
        *output,
        "",
        "Prices from prices.json; not checked against AWS's pages, but as known in 2026: " + "; ".join(unread),
    ]


def calls(life: Life) -> list[str]:
    """List the units of each call."""
    return [
        f"  {c.room:14} {c.operation:20} {_units(c.meter.writes):>5} written {_units(c.meter.reads):>5} read"
        for c in life.whole.calls
    ]


def _units(spent: Mapping[Place, float]) -> str:
    return f"{sum(spent.values()):g}" if spent else "–"


def _of(used: Usage, at: Any) -> float:
    return sum(bill(used, at).values())
