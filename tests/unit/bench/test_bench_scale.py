"""The page on scale: its sums, its alarms, and that its figures are not older than the product."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from bench import scale, strain, task_life
from bench.limits import RATES, SIZES, TASK_RATES, Limit
from bench.recorder import Record
from bench.story import ENGLISH, play, stage
from bench.usage import Assumed
from support import template
from support.world import World

STALE = 0.1  # a figure that is further off than this is another product's


@pytest.fixture(scope="module")
def staged() -> Iterator[tuple[World, Record, dict[str, float]]]:
    with stage() as (made, record):
        life = play(made, record, ENGLISH)
        yield made, record, scale.of_one(life, made) | scale.at_most(record, made)


def test_the_load_is_the_limit_through_what_one_item_takes() -> None:
    shards = Limit("x", 1000, "units/s", "page", "due", "seen", "turn", times=8)
    assert scale.met_at(shards, {"due": 16}) == 500


def test_what_is_met_first_stands_first(staged: tuple[World, Record, dict[str, float]]) -> None:
    found = staged[2]
    named = {li.what: li for li in RATES}
    order = [named[what] for line in scale.rates(found)[2:] if (what := line.split(" | ")[0].strip("| ")) in named]
    assert len(order) == len(RATES)
    assert all(scale.met_at(a, found) <= scale.met_at(b, found) for a, b in pairwise(order))


def test_what_a_limit_allows_is_more_than_ours(staged: tuple[World, Record, dict[str, float]]) -> None:
    for limit in SIZES:
        assert staged[2][limit.use] < limit.limit, limit.what


def is_told(block: str, limit: Limit, found: dict[str, float]) -> None:
    page = scale.PAGE.read_text("utf-8").split(f"<!-- made by make scale: {block} -->")[1].split("<!-- end -->")[0]
    [row] = [line for line in page.splitlines() if line.startswith(f"| {limit.what} |")]
    told = float(re.findall(r"\*\*([\d,.e+]+)\*\*", row)[0].replace(",", ""))
    assert told == pytest.approx(scale.met_at(limit, found), rel=STALE), f"{limit.what}: run `make scale`"


def test_the_page_is_of_this_product(staged: tuple[World, Record, dict[str, float]]) -> None:
    for limit in RATES:
        if limit.use not in scale.TIMED:
            is_told("rates", limit, staged[2])


def test_what_the_page_says_of_tasks_is_of_this_product(staged: tuple[World, Record, dict[str, float]]) -> None:
    found = task_life.uses(staged[0], task_life.play(staged[0], staged[1]))
    assert {limit.use for limit in TASK_RATES} | {"requests"} == set(found)
    for limit in TASK_RATES:
        is_told("tasks", limit, found)


def test_alarms_that_the_page_names_are_there() -> None:
    named = {name for li in (*RATES, *TASK_RATES, *SIZES) for name in re.findall(r"alarm (\w+)", li.seen)}
    alarms = {n for n, r in template.source()["Resources"].items() if r["Type"] == "AWS::CloudWatch::Alarm"}
    assert named and named <= alarms


def test_a_block_is_put_between_its_marks_and_nowhere_else() -> None:
    page = "a\n<!-- made by make scale: x -->\nold\n<!-- end -->\nb\n<!-- made by make scale: y -->\n<!-- end -->\n"
    new = scale.put(page, {"x": ["one", "two"]})
    assert new == page.replace("old", "one\ntwo")
    assert scale.put(new, {"x": ["one", "two"]}) == new
    with pytest.raises(AssertionError, match="no place for z"):
        scale.put(page, {"z": []})


def test_numbers_are_as_short_as_they_may_be() -> None:
    assert [scale._short(n) for n in (37.04, 8, 190.2, 1300.5, 0.787)] == ["37", "8", "190", "1,300", "0.79"]


def test_a_due_item_costs_the_heartbeat_a_look_a_move_and_a_start(
    staged: tuple[World, Record, dict[str, float]],
) -> None:
    swept = strain.sweep(staged[0], staged[1], Assumed(milliseconds=None))
    assert swept["calls"] == 3, "its row, its move, its start"


def test_the_longest_execution_is_counted_state_by_state() -> None:
    # Export and RecordFailure are tasks with 4 tries of 3 events, Failed and Left are not; twice each, and both ends.
    assert strain.most_events("export_item") == 2 + 2 * (2 * (2 + 12) + 2 * 2)
