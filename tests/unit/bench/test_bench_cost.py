"""The bill: prices and usage by hand, and one item that is really played."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import boto3
import pytest

from bench import recorder, task_life
from bench.cost import arguments, assumed, told
from bench.cost_lines import calls, lines
from bench.prices import Price, bill, of_model, prices
from bench.recorder import Invocation, Record
from bench.standing import watched
from bench.story import ENGLISH, Life, play, stage
from bench.task_life import of_task
from bench.usage import Assumed, log_bytes, metrics_of, of_life, seconds, transitions
from readdo.runtime import client
from readdo.store.artifacts import KINDS
from support.world import World

WIRE = ("PutItem", "UpdateItem", "TransactWriteItems", "BatchGetItem", "PutObject", "GetObject", "StartExecution")


class Played(NamedTuple):
    made: World
    record: Record
    life: Life
    sent: Counter[str]


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    """An item, and what went over the wire from its rooms, as botocore itself tells it."""
    sent: Counter[str] = Counter()

    def note(model: Any, **_: Any) -> None:
        if recorder._at_work.get():
            sent[model.name] += 1

    with stage() as (made, record):
        for service in ("dynamodb", "s3", "stepfunctions"):
            client(service).meta.events.register("before-call", note)
        yield Played(made, record, play(made, record, ENGLISH), sent)


def test_the_calls_that_are_counted_are_those_that_were_sent(played: Played) -> None:
    counted = Counter(call.operation for call in played.record.calls)
    sent = played.sent
    assert {name: counted[name] for name in WIRE} == {name: sent[name] for name in WIRE}
    assert all(counted[name] for name in WIRE)


def test_the_rows_that_are_counted_are_those_that_are_there(played: Played) -> None:
    made, life = played.made, played.life
    found = boto3.client("dynamodb").scan(TableName=made.table.name)["Items"]
    mine = [
        row for row in found if life.item["id"] in row["pk"]["S"] + row["sk"]["S"] + row.get("item_id", {}).get("S", "")
    ]
    of_item = {(row["pk"]["S"], row["sk"]["S"]): row for row in mine}
    assert life.rows == of_item
    assert len(of_item) == 1 + len(KINDS) + 2, "the item, its artifacts, its export, and its run's line in the list"


def test_each_step_is_one_transition_and_lease_and_gate_two_more(played: Played) -> None:
    histories = played.life.histories
    assert transitions(histories["Process"]) == len(KINDS) + 2
    assert transitions(histories["Export"]) == 1


def test_every_room_that_worked_is_in_the_bill(played: Played) -> None:
    made, life = played.made, played.life
    rooms = [i.room for i in life.whole.invocations]
    assert [room for room in rooms if room != "http_api"] == [room for room, _ in made.invoked][-19:]
    used = of_life(life, Assumed(milliseconds=100))
    assert rooms.count("announce") == 11, "once for each write of the item"
    assert used["invocations"] == len(rooms) == 21
    # Half a gigabyte for six rooms and for announce, a whole one for the API twice, extract and export: a tenth of a
    # second each.
    assert used["gb_seconds"] == pytest.approx(0.1 * (17 * 0.5 + 4 * 1.0))
    assert set(used) <= set(prices())


def test_the_table_and_the_file_say_the_same(played: Played) -> None:
    asked = arguments(["--input-tokens", "1000", "--output-tokens", "100", "--price-in", "2", "--price-out", "10"])
    life = played.life
    used = of_life(life, assumed(asked))
    found = {
        "lives": [life, life],
        "used": [used, used],
        "task": used,
        "looks": {},
        "month": Counter(traces=10),
        "metrics": 3,
    }
    said = told(found, asked)
    model = said["items"]["English"]["dollars"]
    assert model["input_tokens"] == pytest.approx(4 * 1000 * 2 / 1e6), "four steps, a thousand tokens each"
    assert model["output_tokens"] == pytest.approx(4 * 100 * 10 / 1e6)
    whole = sum(model.values())
    assert any(
        f"${whole:.4f}" in line for line in lines(found, asked, assumed(asked)) if line.strip().startswith("all")
    )
    json.dumps(said)
    known = said["items"]["English"]["facts"]
    assert known["write_units"] == used["write_units"] and known["read_units"] == used["read_units"]
    assert known["write_units_to_floor"] == round(used["write_units"] / 30, 2)


def test_a_task_costs_its_six_requests_and_the_rows_that_it_leaves(played: Played) -> None:
    used = of_task(task_life.play(played.made, played.record), Assumed(milliseconds=100))
    assert (used["http_requests"], used["invocations"]) == (6, 6)
    assert used["s3_puts"] == 2, "its log, and its summary"
    assert used["bucket_gb_months"] > len(task_life.LOG) / 1024**3
    assert set(used) <= set(prices())


def test_every_call_is_told_with_its_units(played: Played) -> None:
    told_calls = calls(played.life)
    assert len(told_calls) == len(played.life.whole.calls)
    written = sum(float(n) for line in told_calls if (n := line.split()[2]) != "–")
    assert written == sum(played.life.whole.writes.values())


def test_a_bill_is_quantity_times_price_and_free_is_what_is_below_the_allowance() -> None:
    at = {"x": Price("S", "x", "units", 0.5, 1000, 3000, "page"), "y": Price("S", "y", "units", 2.0, 1, 0, "page")}
    assert bill({"x": 5000, "y": 3}, at) == {"x": 2.5, "y": 6.0}
    assert bill({"x": 5000, "y": 3}, at, free=True) == {"x": 1.0, "y": 6.0}
    assert bill({"x": 10}, at, free=True) == {"x": 0.0}
    with pytest.raises(KeyError):
        bill({"z": 1}, at)


def test_every_price_says_where_it_stands_and_when_it_was_read() -> None:
    for name, price in prices().items():
        assert price.page.startswith("https://aws.amazon.com/"), name
        assert price.read or price.known == "as known in 2026", name
    assert set(of_model(1, 2)) == {"input_tokens", "output_tokens"}


def test_a_function_has_the_share_of_a_processor_that_its_memory_gives_it() -> None:
    work = Invocation("lease", own_seconds=0.1, calls=3)  # 512 MB of the 1,769 that are a whole one
    assert seconds(work, Assumed(call_milliseconds=10)) == pytest.approx(0.1 * 1769 / 512 + 0.03)
    assert seconds(work, Assumed(milliseconds=250)) == 0.25
    step = Invocation("card", own_seconds=0, calls=0)
    assert seconds(step, Assumed(model_seconds=6)) == 6
    assert seconds(Invocation("gate"), Assumed(model_seconds=6)) == 0, "the gate asks no model"


def test_a_log_is_its_lines_and_what_aws_adds() -> None:
    quiet = log_bytes(Invocation("lease"))
    assert log_bytes(Invocation("lease", logged=["租约"])) - quiet == 6 + 1 + 26


def test_metrics_are_counted_by_name_and_dimensions() -> None:
    def line(state: str) -> str:
        directive = {"Namespace": "ReadDo", "Dimensions": [["state"]], "Metrics": [{"Name": "moved"}]}
        return json.dumps({"_aws": {"CloudWatchMetrics": [directive]}, "state": state, "moved": 1})

    record = Record(invocations=[Invocation("gate", logged=[line("READY"), line("READY"), line("SHIPPED"), "text"])])
    assert len(metrics_of(record)) == 2


def test_alarms_are_counted_by_the_metrics_that_they_watch() -> None:
    sums = [{"Id": "a", "MetricStat": {}}, {"Id": "b", "MetricStat": {}}, {"Id": "c", "Expression": "a + b"}]
    resources = {
        "One": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"MetricName": "Errors"}},
        "Two": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"Metrics": sums}},
        "Board": {"Type": "AWS::CloudWatch::Dashboard"},
        "Filter": {"Type": "AWS::Logs::MetricFilter", "Properties": {"MetricTransformations": [{}, {}]}},
        "Table": {"Type": "AWS::DynamoDB::Table"},
    }
    assert watched(resources) == {"alarms": 3, "dashboards": 1, "metrics": 2}
