"""A month without any item: the heartbeat's work, measured once, and what the template keeps standing.

Metrics that only items give are not in it: CloudWatch bills a metric for the hours in which it is sent.
"""

from typing import Any

from bench.recorder import Record
from bench.usage import Assumed, Usage, metrics_of, of_record
from support import template
from support.world import World

MINUTES = 30 * 24 * 60


def of_month(made: World, record: Record, assumed: Assumed) -> Usage:
    mark = record.mark
    made.heartbeat()
    beat = record.since(mark)
    used: Usage = {name: quantity * MINUTES for name, quantity in of_record(beat, assumed).items()}
    used |= {"scheduled_events": MINUTES, "traces": MINUTES if _traced() else 0}
    used |= watched(template.source()["Resources"])
    used["metrics"] += len(metrics_of(beat))
    return used


def watched(resources: dict[str, Any]) -> dict[str, int]:
    """Alarms are paid for each metric that they look at; a filter of logs makes a metric of its own."""
    found = {"dashboards": 0, "alarms": 0, "metrics": 0}
    for resource in resources.values():
        properties = resource.get("Properties", {})
        match resource["Type"]:
            case "AWS::CloudWatch::Alarm":
                found["alarms"] += max(1, sum("MetricStat" in one for one in properties.get("Metrics", ())))
            case "AWS::CloudWatch::Dashboard":
                found["dashboards"] += 1
            case "AWS::Logs::MetricFilter":
                found["metrics"] += len(properties["MetricTransformations"])
    return found


def _traced() -> bool:
    return bool(template.source()["Globals"]["Function"].get("Tracing") == "Active")
