"""A release finds executions under way: today's functions take what the stored events carry, and no more than that.

The files in events/ are what every release has given its functions. A field that a function cannot do without, and that
is not in them, would strand every item that was in flight at the deploy.
"""

import json
from typing import Any

import pytest
from items_in import stays_queued
from room_events import EVENTS, event

from readdo.errors import LeaseLost
from support.import_helpers import begin, look
from support.world import World

STEPS = ("extract", "summarize", "score", "todos", "card", "gate")


def test_an_execution_of_an_earlier_release_goes_on_from_step_to_step(made: World) -> None:
    with stays_queued(made):
        item_id = made.capture()
    run = made.row(item_id)["run_id"]
    told = made.invoke("lease", event("lease", "first_start", item=item_id, run=run))
    for room in STEPS:
        made.invoke(room, event(room, "in_turn", item=item_id, run=run, epoch=told["epoch"]))
    assert made.item(item_id)["status"] == "READY"


def test_the_gate_sends_it_back_and_each_step_takes_that_too(made: World) -> None:
    with stays_queued(made):
        item_id = made.capture()
    run = made.row(item_id)["run_id"]
    told = made.invoke("lease", event("lease", "second_start", item=item_id, run=run))
    made.invoke("extract", event("extract", "in_turn", item=item_id, run=run, epoch=told["epoch"]))
    for room in STEPS[1:]:
        made.invoke(room, event(room, "once_more", item=item_id, run=run, epoch=told["epoch"]))
    assert made.item(item_id)["status"] == "READY"


@pytest.mark.parametrize(
    "case",
    [
        path.stem
        for path in (EVENTS / "record_failure").glob("*.json")
        if not path.stem.startswith(("export", "backup", "import", "restore"))
    ],
)
def test_every_failure_that_a_workflow_ever_caught_is_still_told(case: str, made: World) -> None:
    with stays_queued(made):
        item_id = made.capture()
    run = made.row(item_id)["run_id"]
    told = made.invoke("lease", event("lease", "first_start", item=item_id, run=run))
    made.invoke("record_failure", event("record_failure", case, item=item_id, run=run, epoch=told["epoch"]))
    assert made.item(item_id)["status"].startswith("FAILED_")


def test_an_import_of_an_earlier_release_goes_on(made: World) -> None:
    def left(*_: Any) -> Any:
        raise LeaseLost

    made.instead["read_file"] = left
    began = begin(made, "https://example.org/a\n", process=False)
    made.settle()
    of = {"import": began}
    made.instead.clear()
    assert made.invoke("read_file", event("read_file", "first_start", **of))["import"] == began
    made.invoke("record_failure", event("record_failure", "import_crash", **of))
    assert made.invoke("import_lines", event("import_lines", "after_a_pause", **of))["wait"] == 0
    assert look(made, began)["status"] == "DONE"


def test_every_step_of_the_workflow_has_its_events() -> None:
    stored = {path.parent.name for path in EVENTS.glob("*/in_turn.json")}
    assert stored == set(STEPS)
    fields = {name for path in EVENTS.glob("*/in_turn.json") for name in json.loads(path.read_text(encoding="utf-8"))}
    assert fields == {"owner", "item", "run", "epoch"}
