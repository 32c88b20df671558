"""Convert a record into usage: meter → quantity in AWS's billing units.

The meters' names are those of prices.json.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.recorder import Invocation, Record
from bench.story import Life
from support import template

Usage = dict[str, float]

GIGABYTE = 1024**3
FULL_CORE = 1769  # MB of memory at which a function has one full processor ("Configure Lambda function memory")
HTTP_STEP = 512 * 1024  # an HTTP API's request is billed in steps of this size
LOG_EVENT = 26  # bytes that CloudWatch Logs adds to each event's text
ROW_OVERHEAD = 100  # bytes of storage that DynamoDB adds to each row and each index entry
STEPS_WITH_MODEL = ("summarize", "score", "todos", "card")

_ID = "0" * 36
_TRACED = f"Max Memory Used: 123 MB\t\nXRAY TraceId: 1-{'0' * 33}\tSegmentId: {'0' * 16}\tSampled: true\t\n"
# Lines that Lambda itself writes about every invocation, at their usual length.
PLATFORM_LINES = (
    f"START RequestId: {_ID} Version: $LATEST\n",
    f"END RequestId: {_ID}\n",
    f"REPORT RequestId: {_ID}\tDuration: 123.45 ms\tBilled Duration: 124 ms\tMemory Size: 1024 MB\t{_TRACED}",
)


@dataclass(frozen=True)
class Assumptions:
    """Assumptions about what cannot be measured on a local machine."""

    milliseconds: float | None = None  # duration of an invocation; None: computed from the fields below
    call_milliseconds: float = 10.0  # duration of a call from a function to AWS
    model_seconds: float = 0.0  # duration of a call to a model
    input_tokens: int = 0  # of one step's call
    output_tokens: int = 0


def of_life(life: Life, assumed: Assumptions) -> Usage:
    """Return the usage of one item from capture to SHIPPED, stored for a month."""
    used = of_record(life.whole, assumed)
    used["http_requests"] = sum(_billed_requests(i) for i in life.whole.invocations if i.room == "http_api")
    used["transitions"] = sum(transitions(events) for events in life.histories.values())
    used["traces"] = used["http_requests"] + len(life.histories)  # an upper bound: X-Ray samples at high rates
    for meter in ("logs_gb", "logs_gb_months"):
        used[meter] += used["http_requests"] * access_line_bytes() / GIGABYTE
    used["data_out_gb"] = (life.answered + _downloaded(life)) / GIGABYTE
    stored = sum(size + ROW_OVERHEAD for size in life.stored_sizes())
    used["table_gb_months"] = used["pitr_gb_months"] = stored / GIGABYTE
    used["bucket_gb_months"] = sum(call.stored for call in life.whole.calls) / GIGABYTE
    if assumed.input_tokens:
        calls = sum(i.room in STEPS_WITH_MODEL for i in life.whole.invocations)
        used["input_tokens"], used["output_tokens"] = calls * assumed.input_tokens, calls * assumed.output_tokens
    return used


def of_record(record: Record, assumed: Assumptions) -> Usage:
    logged = sum(log_bytes(i) for i in record.invocations) / GIGABYTE
    return {
        "write_units": sum(record.writes.values()),
        "read_units": sum(record.reads.values()),
        "s3_puts": len(record.of("s3", "PutObject", "ListObjectsV2")),
        "s3_gets": len(record.of("s3", "GetObject", "HeadObject")),
        "invocations": len(record.invocations),
        "gb_seconds": sum(gb_seconds(i, assumed) for i in record.invocations),
        "logs_gb": logged,
        "logs_gb_months": logged,
    }


def gb_seconds(invocation: Invocation, assumed: Assumptions) -> float:
    return memory(invocation.room) / 1024 * seconds(invocation, assumed)


def seconds(invocation: Invocation, assumed: Assumptions) -> float:
    """Return the function's own work at its share of a processor, plus its calls' waiting time."""
    if assumed.milliseconds is not None:
        return assumed.milliseconds / 1000
    work = invocation.own_seconds * max(1.0, FULL_CORE / memory(invocation.room))
    model = assumed.model_seconds if invocation.room in STEPS_WITH_MODEL else 0.0
    return work + invocation.calls * assumed.call_milliseconds / 1000 + model


def memory(room: str) -> int:
    source = template.source()
    [function] = [f for name, f in template.functions().items() if template.function_name(name) == room]
    return int(function["Properties"].get("MemorySize", source["Globals"]["Function"]["MemorySize"]))


def log_bytes(invocation: Invocation) -> int:
    lines = [line + "\n" for line in invocation.logged] + list(PLATFORM_LINES)
    return sum(len(line.encode()) + LOG_EVENT for line in lines)


def access_line_bytes() -> int:
    """Return the bytes of the gateway's access log line.

    Each variable is assumed to be as long as its name.
    """
    settings = template.source()["Resources"]["ApiStage"]["Properties"].get("AccessLogSettings")
    return len(settings["Format"].encode()) + LOG_EVENT if settings else 0


def transitions(events: list[Mapping[str, Any]] | list[dict[str, Any]]) -> int:
    """Count the states entered: AWS charges a transition for each."""
    return sum(event["type"].endswith("StateEntered") for event in events)


def _billed_requests(invocation: Invocation) -> int:
    """Return the billed requests: a response of more than one step counts as several."""
    body = (invocation.answer or {}).get("body") or ""
    return max(1, -(-len(body.encode()) // HTTP_STEP))


def _downloaded(life: Life) -> int:
    """Return the bytes of one download of each exported file."""
    return sum(call.stored for call in life.phases["export"].calls)


def metrics_of(record: Record) -> set[tuple[str, ...]]:
    """Return the custom metrics in the log (EMF).

    AWS bills each combination of name and dimensions as a metric.
    """
    metrics: set[tuple[str, ...]] = set()
    for line in (line for i in record.invocations for line in i.logged if '"_aws"' in line):
        entry = json.loads(line)
        for directive in entry["_aws"]["CloudWatchMetrics"]:
            for dimensions in directive["Dimensions"]:
                values = [f"{name}={entry.get(name)}" for name in dimensions]
                metrics |= {(directive["Namespace"], metric["Name"], *values) for metric in directive["Metrics"]}
    return metrics
