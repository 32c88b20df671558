"""Executions that run during a deploy: the new functions accept the events of earlier releases.

Each release has sent the events of events/. A new required field that they lack would block every item in flight.
"""

import json
from typing import Any

import pytest

from functions.items_in import no_lease_taken
from functions.room_events import EVENTS, event
from readdo.errors import LeaseLost
from support.import_helpers import get_import, start_import
from support.world import World

STEPS = ("extract", "summarize", "score", "todos", "card", "gate")


def test_execution_of_an_earlier_release_finishes(fresh: World) -> None:
    with no_lease_taken(fresh):
        item_id = fresh.capture()
    run = fresh.row(item_id)["run_id"]
    lease = fresh.invoke("lease", event("lease", "first_start", item=item_id, run=run))
    for step in STEPS:
        fresh.invoke(step, event(step, "in_turn", item=item_id, run=run, epoch=lease["epoch"]))
    assert fresh.item(item_id)["status"] == "READY"


def test_steps_accept_the_gates_retry_events(fresh: World) -> None:
    with no_lease_taken(fresh):
        item_id = fresh.capture()
    run = fresh.row(item_id)["run_id"]
    lease = fresh.invoke("lease", event("lease", "second_start", item=item_id, run=run))
    fresh.invoke("extract", event("extract", "in_turn", item=item_id, run=run, epoch=lease["epoch"]))
    for step in STEPS[1:]:
        fresh.invoke(step, event(step, "once_more", item=item_id, run=run, epoch=lease["epoch"]))
    assert fresh.item(item_id)["status"] == "READY"


@pytest.mark.parametrize(
    "case",
    [
        path.stem
        for path in (EVENTS / "record_failure").glob("*.json")
        if not path.stem.startswith(("export", "backup", "import", "restore", "proof"))
    ],
)
def test_failure_events_of_earlier_releases_are_recorded(case: str, fresh: World) -> None:
    with no_lease_taken(fresh):
        item_id = fresh.capture()
    run = fresh.row(item_id)["run_id"]
    lease = fresh.invoke("lease", event("lease", "first_start", item=item_id, run=run))
    fresh.invoke("record_failure", event("record_failure", case, item=item_id, run=run, epoch=lease["epoch"]))
    assert fresh.item(item_id)["status"].startswith("FAILED_")


def test_import_of_an_earlier_release_finishes(fresh: World) -> None:
    def raise_lease_lost(*_: Any) -> Any:
        raise LeaseLost

    fresh.instead["read_file"] = raise_lease_lost
    import_id = start_import(fresh, "https://example.org/a\n", process=False)
    fresh.settle()
    fields = {"import": import_id}
    fresh.instead.clear()
    assert fresh.invoke("read_file", event("read_file", "first_start", **fields))["import"] == import_id
    fresh.invoke("record_failure", event("record_failure", "import_crash", **fields))
    assert fresh.invoke("import_lines", event("import_lines", "after_a_pause", **fields))["wait"] == 0
    assert get_import(fresh, import_id)["status"] == "DONE"


def test_each_step_of_the_workflow_has_stored_events() -> None:
    stored = {path.parent.name for path in EVENTS.glob("*/in_turn.json")}
    assert stored == set(STEPS)
    fields = {name for path in EVENTS.glob("*/in_turn.json") for name in json.loads(path.read_text(encoding="utf-8"))}
    assert fields == {"owner", "item", "run", "epoch"}
