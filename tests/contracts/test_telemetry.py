"""Logs, alarms and the dashboard: alarms watch existing metrics, and each alarm is documented."""

import json
import re
from typing import Any

import pytest

from contracts.template_rights import named, resources
from readdo import runtime
from support.template import ROOT, source, transformed

OURS = {
    value for name, value in vars(runtime).items() if name.isupper() and name[0] != "_" and isinstance(value, str)
} - {runtime.NAMESPACE}
ALARMS = resources("AWS::CloudWatch::Alarm")
every_alarm = pytest.mark.parametrize("name", ALARMS)
STACK = {"Ref": "AWS::StackName"}


BY_STACK = {"service": STACK}
INDEXED = [{}, *({"GlobalSecondaryIndexName": name} for name in ("inbox", "due", "queue"))]
STARTED = ("ProcessItem", "ExportItem", "BackupAll", "RestoreAll", "ImportFile", "ProofJob", "CollectBatch")
MACHINES = [{"StateMachineArn": {"Ref": name}} for name in STARTED]
PLACES = [{"TableName": {"Ref": "Table"}, **index} for index in INDEXED]
# Their errors are no failures of an item that a user sees.
ANSWERING = ("HttpApi", "Pages", "Announce", "Deliver", "Mark", "Mirror", "RecordFailure")
ASYNCHRONOUS = ("Heartbeat", "Deliver", "Mirror")
METRICS_MAX = 10  # of an alarm, a limit of CloudWatch
HIGH, LOW, ABOVE = "GreaterThanOrEqualToThreshold", "LessThanThreshold", "GreaterThanThreshold"
# alarm → namespace, metrics, dimensions, statistic, seconds, periods, comparison, threshold. Written by hand.
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
    "ExecutionsCut": ("AWS/States", ["ExecutionsAborted"], MACHINES, "Sum", 300, 1, HIGH, 1),
    "ExecutionsFail": ("AWS/States", ["ExecutionsFailed"], MACHINES, "Sum", 900, 1, HIGH, 10),
    "FunctionErrors": (
        "AWS/Lambda",
        ["Errors"],
        [{"FunctionName": {"Ref": name}} for name in ANSWERING],
        "Sum",
        300,
        1,
        HIGH,
        3,
    ),
    "EventsDropped": (
        "AWS/Lambda",
        ["AsyncEventsDropped"],
        [{"FunctionName": {"Ref": name}} for name in ASYNCHRONOUS],
        "Sum",
        300,
        1,
        HIGH,
        5,
    ),
    "BatchesFail": (
        "ReadDo",
        ["Batches"],
        [{**BY_STACK, "to": to} for to in ("failed", "timed_out")],
        "Sum",
        3600,
        1,
        HIGH,
        3,
    ),
    "ApiSlow": ("AWS/ApiGateway", ["Latency"], [{"ApiId": {"Ref": "Api"}}], "p99", 300, 3, HIGH, 5000),
    "RecordsSkipped": (
        "AWS/SQS",
        ["ApproximateNumberOfMessagesVisible"],
        [{"QueueName": {"Fn::GetAtt": ["SkippedRecords", "QueueName"]}}],
        "Maximum",
        300,
        1,
        HIGH,
        1,
    ),
    "MirrorLate": ("AWS/Lambda", ["IteratorAge"], [{"FunctionName": {"Ref": "Mark"}}], "Maximum", 60, 5, HIGH, 600_000),
    "ProofLost": ("ReadDo", ["ProofLost"], [BY_STACK], "Sum", 300, 1, HIGH, 1),
    "NoPlaceToRun": ("AWS/Lambda", ["Throttles"], [{}], "Sum", 300, 2, HIGH, 10),
    "TableThrottled": ("AWS/DynamoDB", ["WriteThrottleEvents", "ReadThrottleEvents"], PLACES, "Sum", 300, 2, HIGH, 10),
}


def as_dict(dimensions: list[dict[str, Any]]) -> dict[str, Any]:
    return {d["Name"]: d["Value"] for d in dimensions}


def watched_by(alarm: dict[str, Any]) -> tuple[Any, ...]:
    if "MetricName" in alarm:
        metrics_found = [(alarm["Namespace"], alarm["MetricName"], as_dict(alarm.get("Dimensions", [])))]
        statistic = (alarm.get("Statistic") or alarm["ExtendedStatistic"], alarm["Period"])
    else:
        total, *parts = alarm["Metrics"]
        assert total["Expression"] == "SUM(METRICS())"
        assert len(parts) <= METRICS_MAX
        assert not any(part["ReturnData"] for part in parts)
        metrics_ = [part["MetricStat"]["Metric"] for part in parts]
        metrics_found = [(m["Namespace"], m["MetricName"], as_dict(m["Dimensions"])) for m in metrics_]
        ((statistic),) = {(part["MetricStat"]["Stat"], part["MetricStat"]["Period"]) for part in parts}
    names = list(dict.fromkeys(name for _, name, _ in metrics_found))
    places = [place for _, name, place in metrics_found if name == names[0]]
    rest = (*statistic, alarm["EvaluationPeriods"], alarm["ComparisonOperator"], alarm["Threshold"])
    order = sorted(metrics_found, key=str)
    assert order == sorted(((metrics_found[0][0], name, place) for name in names for place in places), key=str)
    return (metrics_found[0][0], names, places, *rest)


@every_alarm
def test_alarm_watches_the_listed_metrics(name: str) -> None:
    expected = WATCHED[name]
    actual = watched_by(ALARMS[name])
    assert sorted(actual[1]) == sorted(expected[1])
    assert sorted(map(str, actual[2])) == sorted(map(str, expected[2]))
    assert (actual[0], *actual[3:]) == (expected[0], *expected[3:])


def test_alarms_are_exactly_the_listed_ones() -> None:
    assert set(ALARMS) == set(WATCHED)


@every_alarm
def test_alarm_notifies_at_its_start_and_end(name: str) -> None:
    assert ALARMS[name]["AlarmActions"] == ALARMS[name]["OKActions"] == [{"Ref": "AlarmTopic"}]


@every_alarm
def test_alarm_is_documented(name: str) -> None:
    assert ALARMS[name]["AlarmDescription"].endswith("See docs/operations.md.")
    document = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \|", document, re.M)


def test_documented_alarms_exist() -> None:
    section = (ROOT / "docs/operations.md").read_text(encoding="utf-8").partition("## Alarms")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.M)) == set(ALARMS)


def test_missing_data_is_an_alarm_only_for_the_heartbeat() -> None:
    treatments = {name: alarm["TreatMissingData"] for name, alarm in ALARMS.items()}
    assert {name for name, missing in treatments.items() if missing != "notBreaching"} == {"HeartbeatSilent"}
    assert treatments["HeartbeatSilent"] == "breaching"


def test_alarm_email_is_subscribed_only_if_configured() -> None:
    (subscription,) = (r for r in transformed()["Resources"].values() if r["Type"] == "AWS::SNS::Subscription")
    assert subscription["Condition"] == "HasAlarmEmail"
    assert subscription["Properties"]["Endpoint"] == {"Ref": "AlarmEmail"}
    assert source()["Parameters"]["AlarmEmail"]["Default"] == ""


def dashboard() -> dict[str, Any]:
    body = source()["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    parsed: dict[str, Any] = json.loads(re.sub(r"\$\{!?([^}]+)\}", r"<\1>", body))
    return parsed


def test_dashboard_is_valid_and_shows_every_alarm() -> None:
    (alarms,) = (w["properties"]["alarms"] for w in dashboard()["widgets"] if w["type"] == "alarm")
    assert sorted(alarms) == sorted(f"<{name}.Arn>" for name in ALARMS)


def test_dashboard_shows_every_own_metric_except_exports() -> None:
    text = json.dumps(dashboard())
    assert {figure for figure in OURS if figure in text} == OURS - {runtime.EXPORTS}


def test_dashboard_widgets_do_not_overlap() -> None:
    covered: set[tuple[int, int]] = set()
    for widget in dashboard()["widgets"]:
        cells = {
            (x, y)
            for x in range(widget["x"], widget["x"] + widget["width"])
            for y in range(widget["y"], widget["y"] + widget["height"])
        }
        assert not cells & covered
        assert max(x for x, _ in cells) < 24
        covered |= cells


def test_logs_expire_and_functions_log_to_their_group() -> None:
    groups = resources("AWS::Logs::LogGroup")
    assert set(groups) == {"Logs", "AccessLogs"}
    assert all(group["RetentionInDays"] == {"Ref": "LogDays"} for group in groups.values())
    for function in resources("AWS::Lambda::Function").values():
        assert function["LoggingConfig"] == {"LogGroup": {"Ref": "Logs"}}


def test_streams_isolate_and_keep_the_records_that_fail() -> None:
    mappings = {
        n: r["Properties"] for n, r in source()["Resources"].items() if r["Type"] == "AWS::Lambda::EventSourceMapping"
    }
    assert set(mappings) == {"AnnounceItems", "MarkWork"}
    for mapping in mappings.values():
        assert mapping["BisectBatchOnFunctionError"] is True
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert mapping["DestinationConfig"]["OnFailure"]["Destination"] == {"Fn::GetAtt": ["SkippedRecords", "Arn"]}


def test_missed_minute_of_the_heartbeat_is_not_made_up_for() -> None:
    config = source()["Resources"]["Heartbeat"]["Properties"]["EventInvokeConfig"]
    assert config == {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}


def test_functions_and_workflows_are_traced() -> None:
    assert all(f["TracingConfig"] == {"Mode": "Active"} for f in resources("AWS::Lambda::Function").values())
    machines = resources("AWS::StepFunctions::StateMachine").values()
    assert all(machine["TracingConfiguration"] == {"Enabled": True} for machine in machines)


def test_access_log_contains_no_query_token_or_client_address() -> None:
    stage = resources("AWS::ApiGatewayV2::Stage")["ApiStage"]
    fields = set(re.findall(r"\$context\.([\w.]+)", stage["AccessLogSettings"]["Format"]))
    assert named(stage["AccessLogSettings"]["DestinationArn"]) == "AccessLogs"
    assert {"requestId", "status", "path", "responseLatency"} <= fields
    assert not [name for name in fields if re.search(r"query|header|identity|authorizer", name, re.I)]
    assert json.loads(re.sub(r"\$context\.[\w.]+", "", stage["AccessLogSettings"]["Format"]))


def test_api_limits_requests_per_second() -> None:
    limits = resources("AWS::ApiGatewayV2::Stage")["ApiStage"]["DefaultRouteSettings"]
    assert limits["ThrottlingRateLimit"] == limits["ThrottlingBurstLimit"] == {"Ref": "RequestsPerSecond"}
    assert int(source()["Parameters"]["RequestsPerSecond"]["Default"]) > 0
