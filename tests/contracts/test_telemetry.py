"""Logs, alarms and the dashboard: what is watched is what the code says, and each alarm is explained."""

import json
import re
from typing import Any

import pytest
from template_rights import named, resources

from readdo import metrics
from readdo.lifecycle.item import ITEM
from support.template import ROOT, source, transformed

OURS = {value for name, value in vars(metrics).items() if name.isupper() and isinstance(value, str)} - {
    metrics.NAMESPACE
}
ALARMS = resources("AWS::CloudWatch::Alarm")
AWSS_OWN = {"AWS/ApiGateway", "AWS/Lambda", "AWS/States", "AWS/DynamoDB"}
every_alarm = pytest.mark.parametrize("name", ALARMS)
STACK = {"Ref": "AWS::StackName"}


def dimensions(name: str) -> dict[str, Any]:
    return {d["Name"]: d["Value"] for d in ALARMS[name].get("Dimensions", [])}


@every_alarm
def test_an_alarm_watches_a_figure_that_is_said(name: str) -> None:
    namespace, figure = ALARMS[name]["Namespace"], ALARMS[name]["MetricName"]
    if namespace == metrics.NAMESPACE:
        assert figure in OURS
        assert dimensions(name)["service"] == STACK, "figures of two stacks in one account must not mix"
        assert dimensions(name).get("to", "READY") in ITEM.states
    else:
        assert namespace in AWSS_OWN


@every_alarm
def test_an_alarm_tells_somebody_that_it_began_and_that_it_is_over(name: str) -> None:
    assert ALARMS[name]["AlarmActions"] == ALARMS[name]["OKActions"] == [{"Ref": "AlarmTopic"}]


@every_alarm
def test_an_alarm_is_explained(name: str) -> None:
    assert ALARMS[name]["AlarmDescription"].endswith("See docs/operations.md.")
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \|", told, re.M)


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
    assert all(group == {"RetentionInDays": {"Ref": "LogDays"}} for group in groups.values())
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
    assert source()["Parameters"]["RequestsPerSecond"]["Default"] > 0
