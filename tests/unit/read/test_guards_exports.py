"""Exports of an item that changes concurrently. One key gives one set of files."""

import copy
from typing import Any

import pytest

from readdo import invocations
from readdo.do import task_rows
from readdo.errors import LeaseLost
from readdo.heartbeat import sweep
from readdo.read import export_run, exports, item_keys
from readdo.read.export_run import ExportRun
from readdo.read.exports import ExportRequest
from readdo.read.rows import ExportRow
from support.executions import Executions
from support.races import EXPORT, ITEM, LATE, T0, T1, T2, Raced, card, export, item

SERVED = {"served_run_id": "01RUN"}
RUN = ExportRun("me", "01ITEM", EXPORT.sk.removeprefix("X#"), 1)
REQUEST = ExportRequest("wished", ("md",))
DUE = {"due_at": T0, "due_shard": "1"}
BROKEN = {"Error": "States.Timeout", "Cause": ""}


@pytest.fixture(autouse=True)
def started_executions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the executions that are started."""
    aws = Executions()

    monkeypatch.setenv("EXPORT_MACHINE_ARN", "arn")
    monkeypatch.setattr(invocations, "client", lambda _: aws)
    return aws.names


@pytest.fixture
def table() -> Raced:
    raced = Raced()
    raced.has(*card())
    raced.has(ITEM, item("READY", **SERVED))
    return raced


def request_export(table: Raced, request: ExportRequest = REQUEST) -> ExportRow:
    return exports.request_export(table, "me", "01ITEM", request, T1)  # type: ignore[arg-type]


def test_concurrent_exports_get_separate_numbers(table: Raced) -> None:
    other: list[ExportRow] = []
    table.after_read(ITEM, lambda: other.append(request_export(table, ExportRequest("another", ("md",)))))
    mine = request_export(table)
    assert (other[0]["artifact_version"], mine["artifact_version"]) == (1, 2)
    assert table.rows[ITEM]["versions"]["export"] == 2


def test_concurrent_requests_for_the_same_export_start_it_once(table: Raced, started_executions: list[str]) -> None:
    first: list[ExportRow] = []
    table.after_read(EXPORT, lambda: first.append(request_export(table)))
    assert request_export(table)["run_id"] == first[0]["run_id"]
    assert len(started_executions) == 1
    assert table.rows[ITEM]["versions"]["export"] == 1


def test_each_restart_of_a_failed_export_gets_a_new_epoch(table: Raced) -> None:
    table.has(EXPORT, export("FAILED", fingerprint=REQUEST.fingerprint))
    # A concurrent request starts the export again, and that start fails, too.
    table.after_read(EXPORT, lambda: table.touch(EXPORT, epoch=2))
    assert request_export(table)["epoch"] == 3
    assert table.rows[EXPORT]["epoch"] == 3


def test_superseded_export_run_renders_nothing(table: Raced) -> None:
    table.has(EXPORT, export("RUNNING", epoch=2, formats=["md"]))
    rendered: list[str] = []

    def render(form: str, *_: Any) -> Any:
        rendered.append(form)
        raise AssertionError(form)

    with pytest.raises(LeaseLost):
        export_run.carry_out(table, RUN, render, {}, T1)
    with pytest.raises(LeaseLost):
        export_run.fail(table, RUN, BROKEN, T1)
    assert rendered == []


def finish_export(table: Raced) -> None:
    export_run.carry_out(table, RUN, lambda *_: pytest.fail("nothing must be rendered"), {}, T2)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (item("ARCHIVED", **SERVED), item("READY", **SERVED, version=8)),
        (item("QUEUED", **SERVED), item("READY", **SERVED, version=8)),
        (None, item("READY", **SERVED)),
    ],
    ids=["ARCHIVED", "QUEUED", "no item"],
)
def test_export_ships_an_item_that_became_ready_meanwhile(
    table: Raced, before: dict[str, Any] | None, after: dict[str, Any]
) -> None:
    table.has(EXPORT, export("RUNNING"))
    del table.rows[ITEM]
    if before:
        table.has(ITEM, before)
    # The first read is for the rendering, the second for the item's move at the end.
    table.after_read(ITEM, lambda: table.after_read(ITEM, lambda: table.has(ITEM, after)))
    finish_export(table)
    assert (table.rows[EXPORT]["status"], table.rows[ITEM]["status"]) == ("DONE", "SHIPPED")


def test_failed_export_increments_the_current_attempts(table: Raced) -> None:
    table.has(EXPORT, export("RUNNING"))
    table.after_read(ITEM, lambda: table.touch(ITEM, attempts=4))
    export_run.fail(table, RUN, BROKEN, T1)
    after = table.rows[ITEM]
    assert (after["status"], after["attempts"], after["failure"]["attempts"]) == ("FAILED_EXPORT", 5, 5)


def run_sweep(table: Raced, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    monkeypatch.setattr("readdo.clock.now", lambda: T1)
    return sweep.sweep(table, lambda: True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "current",
    [item("ARCHIVED", **SERVED), item("QUEUED", **SERVED), item("FAILED_EXPORT", served_run_id="02RUN")],
    ids=["archived", "processed again", "another set"],
)
def test_sweep_leaves_a_failed_export_that_no_item_needs(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started_executions: list[str], current: dict[str, Any]
) -> None:
    table.has(EXPORT, export("FAILED", **DUE))
    table.has(ITEM, current)
    assert run_sweep(table, monkeypatch) == {"let_be": 1}
    assert (table.rows[EXPORT]["status"], "due_at" in table.rows[EXPORT], started_executions) == ("FAILED", False, [])


def test_sweep_retries_a_failed_export_that_its_item_needs(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started_executions: list[str]
) -> None:
    table.has(EXPORT, export("FAILED", **DUE))
    table.has(ITEM, item("FAILED_EXPORT", **SERVED))
    assert run_sweep(table, monkeypatch) == {"auto_retry": 1}
    assert (table.rows[EXPORT]["status"], len(started_executions)) == ("RUNNING", 1)


def test_sweep_does_not_restart_the_export_of_a_deleted_item(
    table: Raced, monkeypatch: pytest.MonkeyPatch, started_executions: list[str]
) -> None:
    table.has(EXPORT, export("RUNNING", **DUE))
    table.has(ITEM, {"id": "01ITEM", "owner": "me", "deleted_at": T0, "due_at": LATE})
    before = copy.deepcopy(table.rows)
    assert run_sweep(table, monkeypatch) == {"lost_a_race": 1}
    table.rows.pop(task_rows.heartbeat_key())  # the sweep records its heartbeat
    assert (table.rows, started_executions) == (before, [])
    assert item_keys.item("me", "01ITEM") in table.rows
