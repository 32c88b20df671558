"""Logs, alarms and the dashboard: what is watched is what the code says, and each alarm is explained."""

import json
import re
from typing import Any

import pytest
from template_rights import named, resources

from readdo import metrics
from support.template import ROOT, source, transformed

OURS = {value for name, value in vars(metrics).items() if name.isupper() and isinstance(value, str)} - {
    metrics.NAMESPACE
}
ALARMS = resources("AWS::CloudWatch::Alarm")
every_alarm = pytest.mark.parametrize("name", ALARMS)
STACK = {"Ref": "AWS::StackName"}


BY_STACK = {"service": STACK}
INDEXED = [{}, *({"GlobalSecondaryIndexName": name} for name in ("inbox", "due", "queue"))]
STARTED = ("ProcessItem", "ExportItem", "BackupAll", "RestoreAll", "ImportFile")
MACHINES = [{"StateMachineArn": {"Ref": name}} for name in STARTED]
PLACES = [{"TableName": {"Ref": "Table"}, **index} for index in INDEXED]
HIGH, LOW, ABOVE = "GreaterThanOrEqualToThreshold", "LessThanThreshold", "GreaterThanThreshold"
# alarm → namespace, figures, dimensions, statistic, seconds, periods, comparison, threshold. Written by hand.
WATCHED: dict[str, tuple[Any, ...]] = {
    "HeartbeatSilent": ("ReadDo", ["OldestDue"], [BY_STACK], "SampleCount", 60, 5, LOW, 1),
    "WorkOverdue": ("ReadDo", ["OldestDue"], [BY_STACK], "Maximum", 60, 5, HIGH, 600),
    "TasksWait": ("ReadDo", ["Queue"], [BY_STACK], "Maximum", 300, 3, ABOVE, 50),
    "TasksBlocked": ("ReadDo", ["Blocked"], [BY_STACK], "Maximum", 300, 3, ABOVE, 10),
    "RunsFail": ("ReadDo", ["Runs"], [{**BY_STACK, "to": "failed"}], "Sum", 3600, 1, HIGH, 5),
    "LeasesLost": ("ReadDo", ["LeasesReclaimed"], [BY_STACK], "Sum", 900, 1, HIGH, 3),
    "ReadingFails": ("ReadDo", ["Items"], [{**BY_STACK, "to": "FAILED_AI"}], "Sum", 900, 1, HIGH, 5),
    "ModelDown": ("ReadDo", ["ProviderDown"], [BY_STACK], "Sum", 900, 1, HIGH, 1),
    "BudgetMet": ("ReadDo", ["BudgetStops"], [BY_STACK], "Sum", 3600, 1, HIGH, 1),
    "ExportFails": ("ReadDo", ["Items"], [{**BY_STACK, "to": "FAILED_EXPORT"}], "Sum", 900, 1, HIGH, 3),
    "ApiErrors": ("AWS/ApiGateway", ["5xx"], [{"ApiId": {"Ref": "Api"}}], "Sum", 300, 1, HIGH, 5),
    "HeartbeatErrors": ("AWS/Lambda", ["Errors"], [{"FunctionName": {"Ref": "Heartbeat"}}], "Sum", 300, 1, HIGH, 3),
    "WebhooksLate": (
        "AWS/Lambda",
        ["IteratorAge"],
        [{"FunctionName": {"Ref": "Announce"}}],
        "Maximum",
        60,
        5,
        HIGH,
        600_000,
    ),
    "ExecutionsCut": ("AWS/States", ["ExecutionsAborted", "ExecutionsTimedOut"], MACHINES, "Sum", 300, 1, HIGH, 1),
    "NoPlaceToRun": ("AWS/Lambda", ["Throttles"], [{}], "Sum", 300, 2, HIGH, 10),
    "TableThrottled": ("AWS/DynamoDB", ["WriteThrottleEvents", "ReadThrottleEvents"], PLACES, "Sum", 300, 2, HIGH, 10),
}


def as_dict(dimensions: list[dict[str, Any]]) -> dict[str, Any]:
    return {d["Name"]: d["Value"] for d in dimensions}


def watched(alarm: dict[str, Any]) -> tuple[Any, ...]:
    if "MetricName" in alarm:
        found = [(alarm["Namespace"], alarm["MetricName"], as_dict(alarm.get("Dimensions", [])))]
        how = (alarm["Statistic"], alarm["Period"])
    else:
        total, *parts = alarm["Metrics"]
        assert total["Expression"] == "SUM(METRICS())"
        assert not any(part["ReturnData"] for part in parts)
        metrics_ = [part["MetricStat"]["Metric"] for part in parts]
        found = [(m["Namespace"], m["MetricName"], as_dict(m["Dimensions"])) for m in metrics_]
        ((how),) = {(part["MetricStat"]["Stat"], part["MetricStat"]["Period"]) for part in parts}
    names = list(dict.fromkeys(name for _, name, _ in found))
    places = [place for _, name, place in found if name == names[0]]
    rest = (*how, alarm["EvaluationPeriods"], alarm["ComparisonOperator"], alarm["Threshold"])
    order = sorted(found, key=str)
    assert order == sorted(((found[0][0], name, place) for name in names for place in places), key=str)
    return (found[0][0], names, places, *rest)


@every_alarm
def test_an_alarm_watches_what_is_written_here(name: str) -> None:
    expected = WATCHED[name]
    found = watched(ALARMS[name])
    assert sorted(found[1]) == sorted(expected[1])
    assert sorted(map(str, found[2])) == sorted(map(str, expected[2]))
    assert (found[0], *found[3:]) == (expected[0], *expected[3:])


def test_every_alarm_is_written_here_and_no_other() -> None:
    assert set(ALARMS) == set(WATCHED)


@every_alarm
def test_an_alarm_tells_somebody_that_it_began_and_that_it_is_over(name: str) -> None:
    assert ALARMS[name]["AlarmActions"] == ALARMS[name]["OKActions"] == [{"Ref": "AlarmTopic"}]


@every_alarm
def test_an_alarm_is_explained(name: str) -> None:
    assert ALARMS[name]["AlarmDescription"].endswith("See docs/operations.md.")
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \|", told, re.M)


def test_no_alarm_is_explained_that_is_not_there() -> None:
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8").partition("## Alarms")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", told, re.M)) == set(ALARMS)


def test_only_silence_of_the_heartbeat_is_an_alarm_by_itself() -> None:
    told = {name: alarm["TreatMissingData"] for name, alarm in ALARMS.items()}
    assert {name for name, missing in told.items() if missing != "notBreaching"} == {"HeartbeatSilent"}
    assert told["HeartbeatSilent"] == "breaching"


def test_alarms_reach_an_address_only_where_one_is_given() -> None:
    (subscription,) = (r for r in transformed()["Resources"].values() if r["Type"] == "AWS::SNS::Subscription")
    assert subscription["Condition"] == "HasAlarmEmail"
    assert subscription["Properties"]["Endpoint"] == {"Ref": "AlarmEmail"}
    assert source()["Parameters"]["AlarmEmail"]["Default"] == ""


def dashboard() -> dict[str, Any]:
    body = source()["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    found: dict[str, Any] = json.loads(re.sub(r"\$\{!?([^}]+)\}", r"<\1>", body))
    return found


def test_the_dashboard_can_be_read_and_shows_every_alarm() -> None:
    (shown,) = (w["properties"]["alarms"] for w in dashboard()["widgets"] if w["type"] == "alarm")
    assert sorted(shown) == sorted(f"<{name}.Arn>" for name in ALARMS)


def test_the_dashboard_shows_every_figure_of_ours_but_those_of_exports() -> None:
    text = json.dumps(dashboard())
    assert {figure for figure in OURS if figure in text} == OURS - {metrics.EXPORTS}


def test_the_dashboards_pieces_do_not_lie_on_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for widget in dashboard()["widgets"]:
        cells = {
            (x, y)
            for x in range(widget["x"], widget["x"] + widget["width"])
            for y in range(widget["y"], widget["y"] + widget["height"])
        }
        assert not cells & taken
        assert max(x for x, _ in cells) < 24
        taken |= cells


def test_every_log_ends_and_every_function_logs_where_its_role_may() -> None:
    groups = resources("AWS::Logs::LogGroup")
    assert set(groups) == {"Logs", "AccessLogs"}
    assert all(group["RetentionInDays"] == {"Ref": "LogDays"} for group in groups.values())
    for function in resources("AWS::Lambda::Function").values():
        assert function["LoggingConfig"] == {"LogGroup": {"Ref": "Logs"}}


def test_functions_and_workflows_are_traced() -> None:
    assert all(f["TracingConfig"] == {"Mode": "Active"} for f in resources("AWS::Lambda::Function").values())
    machines = resources("AWS::StepFunctions::StateMachine").values()
    assert all(machine["TracingConfiguration"] == {"Enabled": True} for machine in machines)


def test_the_access_log_tells_no_query_no_token_and_no_address_of_a_caller() -> None:
    stage = resources("AWS::ApiGatewayV2::Stage")["ApiStage"]
    asked = set(re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"]))
    assert named(stage["AccessLogSettings"]["DestinationArn"]) == "AccessLogs"
    assert {"requestId", "status", "path", "responseLatency"} <= asked
    assert not [name for name in asked if re.search(r"query|header|identity|authorizer", name, re.I)]
    assert json.loads(re.sub(r"\$context\.[\w.]+", "", stage["AccessLogSettings"]["Format"]))


def test_the_api_lets_in_only_so_many_requests_a_second() -> None:
    limits = resources("AWS::ApiGatewayV2::Stage")["ApiStage"]["DefaultRouteSettings"]
    assert limits["ThrottlingRateLimit"] == limits["ThrottlingBurstLimit"] == {"Ref": "RequestsPerSecond"}
    assert int(source()["Parameters"]["RequestsPerSecond"]["Default"]) > 0
