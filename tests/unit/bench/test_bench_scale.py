"""docs/scale.md: its calculations, its alarms, and whether its figures are up to date."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from bench import scale, strain, task_life
from bench.limits import RATES, SIZES, TASK_RATES, Limit
from bench.recorder import Record
from bench.story import ENGLISH, play, stage
from bench.usage import Assumptions
from support import template
from support.world import World

STALE = 0.1  # a larger deviation means that the page is out of date


@pytest.fixture(scope="module")
def staged() -> Iterator[tuple[World, Record, dict[str, float]]]:
    with stage() as (world, record):
        life = play(world, record, ENGLISH)
        yield world, record, scale.of_one(life, world) | scale.at_most(record, world)


def test_load_is_the_limit_divided_by_the_use_per_item() -> None:
    shards = Limit("x", 1000, "units/s", "page", "due", "seen", "turn", times=8)
    assert scale.met_at(shards, {"due": 16}) == 500


def test_limits_are_sorted_by_load(staged: tuple[World, Record, dict[str, float]]) -> None:
    uses = staged[2]
    named = {li.what: li for li in RATES}
    order = [named[what] for line in scale.rates(uses)[2:] if (what := line.split(" | ")[0].strip("| ")) in named]
    assert len(order) == len(RATES)
    assert all(scale.met_at(a, uses) <= scale.met_at(b, uses) for a, b in pairwise(order))


def test_size_limits_exceed_our_maximum(staged: tuple[World, Record, dict[str, float]]) -> None:
    for limit in SIZES:
        assert staged[2][limit.use] < limit.limit, limit.what


def assert_page_is_current(block: str, limit: Limit, uses: dict[str, float]) -> None:
    page = scale.PAGE.read_text("utf-8").split(f"<!-- made by make scale: {block} -->")[1].split("<!-- end -->")[0]
    [row] = [line for line in page.splitlines() if line.startswith(f"| {limit.what} |")]
    load = float(re.findall(r"\*\*([\d,.e+]+)\*\*", row)[0].replace(",", ""))
    assert load == pytest.approx(scale.met_at(limit, uses), rel=STALE), f"{limit.what}: run `make scale`"


def test_scale_page_is_current_for_items(staged: tuple[World, Record, dict[str, float]]) -> None:
    for limit in RATES:
        if limit.use not in scale.TIMED:
            assert_page_is_current("rates", limit, staged[2])


def test_scale_page_is_current_for_tasks(staged: tuple[World, Record, dict[str, float]]) -> None:
    uses = task_life.uses(staged[0], task_life.play(staged[0], staged[1]))
    assert {limit.use for limit in TASK_RATES} | {"requests"} == set(uses)
    for limit in TASK_RATES:
        assert_page_is_current("tasks", limit, uses)


def test_every_named_alarm_exists() -> None:
    named = {name for li in (*RATES, *TASK_RATES, *SIZES) for name in re.findall(r"alarm (\w+)", li.seen)}
    alarms = {n for n, r in template.source()["Resources"].items() if r["Type"] == "AWS::CloudWatch::Alarm"}
    assert named and named <= alarms


def test_replace_blocks_changes_only_the_lines_between_the_marks() -> None:
    page = "a\n<!-- made by make scale: x -->\nold\n<!-- end -->\nb\n<!-- made by make scale: y -->\n<!-- end -->\n"
    new = scale.replace_blocks(page, {"x": ["one", "two"]})
    assert new == page.replace("old", "one\ntwo")
    assert scale.replace_blocks(new, {"x": ["one", "two"]}) == new
    with pytest.raises(AssertionError, match="no place for z"):
        scale.replace_blocks(page, {"z": []})


def test_numbers_are_shortened_to_two_digits() -> None:
    assert [scale._short(n) for n in (37.04, 8, 190.2, 1300.5, 0.787)] == ["37", "8", "190", "1,300", "0.79"]


def test_heartbeat_makes_three_calls_per_due_item(
    staged: tuple[World, Record, dict[str, float]],
) -> None:
    swept = strain.sweep(staged[0], staged[1], Assumptions(milliseconds=None))
    assert swept["calls"] == 3, "read the row, move the item, start the workflow"


def test_most_events_counts_every_state_twice() -> None:
    # Export and RecordFailure are tasks with 8 attempts of 3 events; Failed and Left are not tasks. Each counts twice,
    # plus the start and end of the execution.
    assert strain.most_events("export_item") == 2 + 2 * (2 * (2 + 24) + 2 * 2)
