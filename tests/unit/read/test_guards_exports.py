"""An export beside an item that does not stand still: one key one set of files, and the item as it is now."""

import copy
from typing import Any

import pytest

from readdo.errors import LeaseLost
from readdo.read import export_run, exports, sweep, workflows
from readdo.read.export_run import ExportRun
from readdo.read.exports import ExportRequest
from readdo.store import keys
from support.executions import Executions
from support.races import EXPORT, ITEM, LATE, T0, T1, T2, Raced, card, export, item

SERVED = {"served_run_id": "01RUN"}
RUN = ExportRun("me", "01ITEM", EXPORT.sk.removeprefix("X#"), 1)
WISH = ExportRequest("wished", ("md",))
DUE = {"due_at": T0, "due_shard": "1"}
BROKEN = {"Error": "States.Timeout", "Cause": ""}


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The executions that AWS is asked to start."""
    aws = Executions()

    monkeypatch.setenv("EXPORT_MACHINE_ARN", "arn")
    monkeypatch.setattr(workflows, "client", lambda _: aws)
    return aws.names


@pytest.fixture
def table() -> Raced:
    found = Raced()
    found.has(*card())
    found.has(ITEM, item("READY", **SERVED))
    return found


def ask(table: Raced, wish: ExportRequest = WISH) -> dict[str, Any]:
    return exports.request_export(table, "me", "01ITEM", wish, T1)  # type: ignore[arg-type]


def test_of_two_exports_asked_for_at_once_each_has_a_number_of_its_own(table: Raced) -> None:
    other: list[dict[str, Any]] = []
    table.after_a_look(ITEM, lambda: other.append(ask(table, ExportRequest("another", ("md",)))))
    mine = ask(table)
    assert (other[0]["artifact_version"], mine["artifact_version"]) == (1, 2)
    assert table.rows[ITEM]["versions"]["export"] == 2


def test_the_same_export_asked_for_twice_at_once_is_one(table: Raced, started: list[str]) -> None:
    first: list[dict[str, Any]] = []
    table.after_a_look(EXPORT, lambda: first.append(ask(table)))
    assert ask(table)["run_id"] == first[0]["run_id"]
    assert len(started) == 1
    assert table.rows[ITEM]["versions"]["export"] == 1


def test_of_two_that_ask_again_for_a_failed_export_each_start_has_an_epoch_of_its_own(table: Raced) -> None:
    table.has(EXPORT, export("FAILED", fingerprint=WISH.fingerprint))
    # Another asks again, and that start fails too.
    table.after_a_look(EXPORT, lambda: table.touch(EXPORT, epoch=2))
    assert ask(table)["epoch"] == 3
    assert table.rows[EXPORT]["epoch"] == 3


def test_a_start_that_another_replaced_draws_nothing(table: Raced) -> None:
    table.has(EXPORT, export("RUNNING", epoch=2, formats=["md"]))
    drawn: list[str] = []

    def draw(form: str, *_: Any) -> Any:
        drawn.append(form)
        raise AssertionError(form)

    with pytest.raises(LeaseLost):
        export_run.carry_out(table, RUN, draw, {}, T1)
    with pytest.raises(LeaseLost):
        export_run.fail(table, RUN, BROKEN, T1)
    assert drawn == []


def ends(table: Raced) -> None:
    export_run.carry_out(table, RUN, lambda *_: pytest.fail("nothing is to be drawn"), {}, T2)


@pytest.mark.parametrize(
    ("seen", "is_now"),
    [
        (item("ARCHIVED", **SERVED), item("READY", **SERVED, version=8)),
        (item("QUEUED", **SERVED), item("READY", **SERVED, version=8)),
        (None, item("READY", **SERVED)),
    ],
    ids=["ARCHIVED", "QUEUED", "no item"],
)
def test_an_item_that_came_to_wait_for_its_export_meanwhile_is_shipped(
    table: Raced, seen: dict[str, Any] | None, is_now: dict[str, Any]
) -> None:
    table.has(EXPORT, export("RUNNING"))
    del table.rows[ITEM]
    if seen:
        table.has(ITEM, seen)
    # The first look is for what is drawn, the second for what the end means.
    table.after_a_look(ITEM, lambda: table.after_a_look(ITEM, lambda: table.has(ITEM, is_now)))
    ends(table)
    assert (table.rows[EXPORT]["status"], table.rows[ITEM]["status"]) == ("DONE", "SHIPPED")


def test_a_failed_export_counts_on_from_what_the_item_counts_now(table: Raced) -> None:
    table.has(EXPORT, export("RUNNING"))
    table.after_a_look(ITEM, lambda: table.touch(ITEM, attempts=4))
    export_run.fail(table, RUN, BROKEN, T1)
    after = table.rows[ITEM]
    assert (after["status"], after["attempts"], after["failure"]["attempts"]) == ("FAILED_EXPORT", 5, 5)


def swept(table: Raced, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    monkeypatch.setattr("readdo.clock.now", lambda: T1)
    return sweep.sweep(table, lambda: True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "now",
    [item("ARCHIVED", **SERVED), item("QUEUED", **SERVED), item("FAILED_EXPORT", served_run_id="02RUN")],
    ids=["archived", "read anew", "another set"],
)
def test_a_failed_export_that_no_item_waits_for_is_let_be(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started: list[str], now: dict[str, Any]
) -> None:
    table.has(EXPORT, export("FAILED", **DUE))
    table.has(ITEM, now)
    assert swept(table, monkeypatch) == {"let_be": 1}
    assert (table.rows[EXPORT]["status"], "due_at" in table.rows[EXPORT], started) == ("FAILED", False, [])


def test_a_failed_export_that_its_item_waits_for_is_repeated(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started: list[str]
) -> None:
    table.has(EXPORT, export("FAILED", **DUE))
    table.has(ITEM, item("FAILED_EXPORT", **SERVED))
    assert swept(table, monkeypatch) == {"auto_retry": 1}
    assert (table.rows[EXPORT]["status"], len(started)) == ("RUNNING", 1)


def test_a_dead_export_of_a_deleted_item_is_not_started_again(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started: list[str]
) -> None:
    table.has(EXPORT, export("RUNNING", **DUE))
    table.has(ITEM, {"id": "01ITEM", "owner": "me", "deleted_at": T0, "due_at": LATE})
    before = copy.deepcopy(table.rows)
    assert swept(table, monkeypatch) == {"lost_a_race": 1}
    table.rows.pop(keys.heartbeat())  # it says that it was here
    assert (table.rows, started) == (before, [])
    assert keys.item("me", "01ITEM") in table.rows
