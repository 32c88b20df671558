"""The cost of a month without items: the heartbeat's work and the fixed resources.

Metrics that only items create are not included: CloudWatch bills a metric for the hours in which it is sent.
"""

from typing import Any

from bench.recorder import Record
from bench.usage import Assumptions, Usage, metrics_of, of_record
from support import template
from support.world import World

MINUTES = 30 * 24 * 60


def of_month(world: World, record: Record, assumed: Assumptions) -> Usage:
    mark = record.mark
    world.heartbeat()
    beat = record.since(mark)
    used: Usage = {name: quantity * MINUTES for name, quantity in of_record(beat, assumed).items()}
    used |= {"scheduled_events": MINUTES, "traces": MINUTES if _traced() else 0}
    used |= count_monitoring(template.source()["Resources"])
    used["metrics"] += len(metrics_of(beat))
    return used


def count_monitoring(resources: dict[str, Any]) -> dict[str, int]:
    """Count dashboards, alarms and metrics.

    AWS bills an alarm for each metric that it watches, and a log filter creates its own metric.
    """
    counts = {"dashboards": 0, "alarms": 0, "metrics": 0}
    for resource in resources.values():
        properties = resource.get("Properties", {})
        match resource["Type"]:
            case "AWS::CloudWatch::Alarm":
                counts["alarms"] += max(1, sum("MetricStat" in metric for metric in properties.get("Metrics", ())))
            case "AWS::CloudWatch::Dashboard":
                counts["dashboards"] += 1
            case "AWS::Logs::MetricFilter":
                counts["metrics"] += len(properties["MetricTransformations"])
    return counts


def _traced() -> bool:
    return bool(template.source()["Globals"]["Function"].get("Tracing") == "Active")
