"""The bill: prices and usage by hand, and a real run of one item."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import boto3
import pytest

from bench import recorder, task_life
from bench.cost import arguments, as_json, assumptions_of
from bench.cost_lines import calls, lines
from bench.prices import Price, bill, of_model, prices
from bench.recorder import Invocation, Record
from bench.standing import count_monitoring
from bench.story import ENGLISH, Life, play, stage
from bench.task_life import of_task
from bench.usage import Assumptions, log_bytes, metrics_of, of_life, seconds, transitions
from readdo.read.artifacts import KINDS
from readdo.runtime import client
from support.world import World

WIRE = ("PutItem", "UpdateItem", "TransactWriteItems", "BatchGetItem", "PutObject", "GetObject", "StartExecution")


class Played(NamedTuple):
    world: World
    record: Record
    life: Life
    sent: Counter[str]


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    """Run an item and count the requests that botocore sends for its functions."""
    sent: Counter[str] = Counter()

    def count_call(model: Any, **_: Any) -> None:
        if recorder._at_work.get():
            sent[model.name] += 1

    with stage() as (world, record):
        for service in ("dynamodb", "s3", "stepfunctions"):
            client(service).meta.events.register("before-call", count_call)
        yield Played(world, record, play(world, record, ENGLISH), sent)


def test_recorder_counts_exactly_the_calls_that_were_sent(played: Played) -> None:
    counted = Counter(call.operation for call in played.record.calls)
    sent = played.sent
    assert {name: counted[name] for name in WIRE} == {name: sent[name] for name in WIRE}
    assert all(counted[name] for name in WIRE)


def test_recorder_counts_exactly_the_rows_in_the_table(played: Played) -> None:
    world, life = played.world, played.life
    rows = boto3.client("dynamodb").scan(TableName=world.table.name)["Items"]
    item_rows = [
        row for row in rows if life.item["id"] in row["pk"]["S"] + row["sk"]["S"] + row.get("item_id", {}).get("S", "")
    ]
    of_item = {(row["pk"]["S"], row["sk"]["S"]): row for row in item_rows}
    assert life.rows == of_item
    assert len(of_item) == 1 + len(KINDS) + 2, "the item, its artifacts, its export, and its run's row in the list"


def test_item_takes_a_transition_per_step_plus_lease_and_gate(played: Played) -> None:
    histories = played.life.histories
    assert transitions(histories["Process"]) == len(KINDS) + 2
    assert transitions(histories["Export"]) == 1


def test_bill_includes_every_invoked_function(played: Played) -> None:
    world, life = played.world, played.life
    rooms = [i.room for i in life.whole.invocations]
    assert [room for room in rooms if room != "http_api"] == [room for room, _ in world.invoked][-19:]
    used = of_life(life, Assumptions(milliseconds=100))
    assert rooms.count("announce") == 11, "once for each write of the item"
    assert used["invocations"] == len(rooms) == 21
    # Six functions and announce (17 invocations in all) have 512 MB; two API calls, extract and export have 1 GB. Each
    # invocation takes 0.1 s.
    assert used["gb_seconds"] == pytest.approx(0.1 * (17 * 0.5 + 4 * 1.0))
    assert set(used) <= set(prices())


def test_cost_table_and_json_report_agree(played: Played) -> None:
    options = arguments(["--input-tokens", "1000", "--output-tokens", "100", "--price-in", "2", "--price-out", "10"])
    life = played.life
    used = of_life(life, assumptions_of(options))
    measured = {
        "lives": [life, life],
        "used": [used, used],
        "task": used,
        "looks": {},
        "month": Counter(traces=10),
        "chunk": Counter(write_units=4),
        "metrics": 3,
    }
    report = as_json(measured, options)
    model = report["items"]["English"]["dollars"]
    assert model["input_tokens"] == pytest.approx(4 * 1000 * 2 / 1e6), "four steps, a thousand tokens each"
    assert model["output_tokens"] == pytest.approx(4 * 100 * 10 / 1e6)
    whole = sum(model.values())
    assert any(
        f"${whole:.4f}" in line
        for line in lines(measured, options, assumptions_of(options))
        if line.strip().startswith("total")
    )
    json.dumps(report)
    facts = report["items"]["English"]["facts"]
    assert facts["write_units"] == used["write_units"] and facts["read_units"] == used["read_units"]
    assert facts["write_units_to_floor"] == round(used["write_units"] / 30, 2)


def test_task_costs_six_requests_and_its_stored_rows(played: Played) -> None:
    used = of_task(task_life.play(played.world, played.record), Assumptions(milliseconds=100))
    assert (used["http_requests"], used["invocations"]) == (6, 6)
    assert used["s3_puts"] == 2, "its log, and its summary"
    assert used["bucket_gb_months"] > len(task_life.LOG) / 1024**3
    assert set(used) <= set(prices())


def test_call_list_shows_the_units_of_every_call(played: Played) -> None:
    call_lines = calls(played.life)
    assert len(call_lines) == len(played.life.whole.calls)
    written = sum(float(n) for line in call_lines if (n := line.split()[2]) != "–")
    assert written == sum(played.life.whole.writes.values())


def test_bill_multiplies_by_price_and_subtracts_the_free_allowance() -> None:
    at = {"x": Price("S", "x", "units", 0.5, 1000, 3000, "page"), "y": Price("S", "y", "units", 2.0, 1, 0, "page")}
    assert bill({"x": 5000, "y": 3}, at) == {"x": 2.5, "y": 6.0}
    assert bill({"x": 5000, "y": 3}, at, free=True) == {"x": 1.0, "y": 6.0}
    assert bill({"x": 10}, at, free=True) == {"x": 0.0}
    with pytest.raises(KeyError):
        bill({"z": 1}, at)


def test_every_price_has_its_source_page_and_date() -> None:
    for name, price in prices().items():
        assert price.page.startswith("https://aws.amazon.com/"), name
        assert price.read or price.known == "as known in 2026", name
    assert set(of_model(1, 2)) == {"input_tokens", "output_tokens"}


def test_seconds_scale_with_the_share_of_a_processor() -> None:
    work = Invocation("lease", own_seconds=0.1, calls=3)  # 512 MB of the 1,769 MB of a full processor
    assert seconds(work, Assumptions(call_milliseconds=10)) == pytest.approx(0.1 * 1769 / 512 + 0.03)
    assert seconds(work, Assumptions(milliseconds=250)) == 0.25
    step = Invocation("card", own_seconds=0, calls=0)
    assert seconds(step, Assumptions(model_seconds=6)) == 6
    assert seconds(Invocation("gate"), Assumptions(model_seconds=6)) == 0, "the gate calls no model"


def test_log_bytes_include_the_overhead_of_each_event() -> None:
    quiet = log_bytes(Invocation("lease"))
    assert log_bytes(Invocation("lease", logged=["租约"])) - quiet == 6 + 1 + 26


def test_metrics_are_counted_by_name_and_dimension() -> None:
    def line(state: str) -> str:
        directive = {"Namespace": "ReadDo", "Dimensions": [["state"]], "Metrics": [{"Name": "moved"}]}
        return json.dumps({"_aws": {"CloudWatchMetrics": [directive]}, "state": state, "moved": 1})

    record = Record(invocations=[Invocation("gate", logged=[line("READY"), line("READY"), line("SHIPPED"), "text"])])
    assert len(metrics_of(record)) == 2


def test_alarms_are_counted_by_their_watched_metrics() -> None:
    sums = [{"Id": "a", "MetricStat": {}}, {"Id": "b", "MetricStat": {}}, {"Id": "c", "Expression": "a + b"}]
    resources = {
        "One": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"MetricName": "Errors"}},
        "Two": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Metrics": sums}},
        "Board": {"Type": "AWS::CloudWatch::Dashboard"},
        "Filter": {"Type": "AWS::Logs::MetricFilter", "Properties": {"MetricTransformations": [{}, {}]}},
        "Table": {"Type": "AWS::DynamoDB::Table"},
    }
    assert count_monitoring(resources) == {"alarms": 3, "dashboards": 1, "metrics": 2}
