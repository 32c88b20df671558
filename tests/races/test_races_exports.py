"""Races of exports: one key has one set of files, whoever requests, renders or restarts it."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from races.race_items import PAST, ready_item, run_command
from races.race_round import THREADS, Arena, Round, accepted, is_complete, moves, numbers, refused
from readdo import clock, files
from readdo.errors import LeaseLost
from readdo.heartbeat import sweep
from readdo.lifecycle.write import Write
from readdo.read import export_run, exports, item_commands, item_keys
from readdo.read.rows import ExportRow
from readdo.store.idempotency import KeyReused

BROKEN = {"Error": "KeyError", "Cause": "{}"}
RENDERER = {"name": "races", "version": "1"}


def request_export(round_: Round, item_id: str, key: str, *formats: str) -> ExportRow:
    return exports.request_export(round_.table, round_.owner, item_id, exports.ExportRequest(key, formats), clock.now())


def export_key_creates_one_export(round_: Round) -> None:
    item_id = ready_item(round_)
    first, second, other = round_.race(
        (12, lambda: request_export(round_, item_id, "one", "md", "caption")),
        (12, lambda: request_export(round_, item_id, "two", "md")),
        (8, lambda: request_export(round_, item_id, "two", "png")),
    )
    assert len(accepted(first)) == 12
    assert sorted((len(accepted(second)), len(accepted(other)))) in ([0, 8], [0, 12])
    assert len(refused(second + other, KeyReused)) in (8, 12)
    row = round_.row(item_id)
    assert sorted(numbers(round_, row)["export"]) == [1, 2]
    assert {one["run_id"] for one in accepted(first)} == {find_export(round_, item_id, "one")["run_id"]}
    moves(round_, row)


def export_key_has_one_set_of_files(round_: Round) -> None:
    """Every delivery renders different bytes, but all return the same ones; failures run at the same time."""
    item_id = ready_item(round_)
    row = request_export(round_, item_id, "one", "md", "caption")
    start = export_run.ExportRun(round_.owner, item_id, row["key_digest"], row["epoch"])
    drawings = count()

    def draw(form: str, *_: Any) -> export_run.RenderedFile:
        return export_run.RenderedFile(f"card.{form}", "text/plain", "", f"{next(drawings)} 第几次".encode())

    def carries_out() -> None:
        export_run.carry_out(round_.table, start, draw, RENDERER, clock.now())

    def fails() -> str:
        return export_run.fail(round_.table, start, BROKEN, clock.now()).code

    runs, failed = round_.race((24, carries_out), (8, fails))
    export_row, item = find_export(round_, item_id, "one"), round_.row(item_id)
    assert len(accepted(runs)) + len(accepted(failed)) == 1
    assert len(refused(runs + failed, LeaseLost)) == THREADS - 1
    assert (export_row["status"], item["status"]) == (
        ("DONE", "SHIPPED") if accepted(runs) else ("FAILED", "FAILED_EXPORT")
    )
    for file in export_row["files"].values():
        assert files.sha256(files.get(file["at"])) == file["sha256"]
    assert set(export_row["files"]) == ({"md", "caption"} if accepted(runs) else set())
    assert is_complete(round_, item)
    moves(round_, item)


def find_export(round_: Round, item_id: str, key: str) -> ExportRow:
    row = exports.find(round_.table, round_.owner, item_id, key)
    assert row is not None
    return row


def archive_and_regenerate_race_an_export(round_: Round) -> None:
    item_id = ready_item(round_)
    requests, archives, regenerations = round_.race(
        (12, lambda: request_export(round_, item_id, "one", "md")),
        (10, lambda: run_command(round_, item_id, "archive", item_commands.archive(None))),
        (10, lambda: run_command(round_, item_id, "process", item_commands.requeue("regenerate"))),
    )
    row = round_.row(item_id)
    path = moves(round_, row)
    rows = [row_inside for row_inside in round_.inside(item_id) if row_inside["sk"].startswith(item_keys.EXPORT_PREFIX)]
    assert len(rows) == row["versions"]["export"] == bool(accepted(requests))
    assert path.count("regenerate") == len(accepted(regenerations))
    assert path.count("archive") == len(accepted(archives))
    numbers(round_, row)


def dead_export_restarts_once(round_: Round) -> None:
    """Heartbeats race the last execution, which still renders, and a repeated request of the owner."""
    item_id = ready_item(round_)
    row = request_export(round_, item_id, "one", "md")
    round_.table.write(Write(item_keys.export(round_.owner, item_id, "one"), sets={"due_at": PAST}))
    start = export_run.ExportRun(round_.owner, item_id, row["key_digest"], row["epoch"])
    beats, runs, requests = round_.race(
        (12, lambda: sweep.sweep(round_.table, lambda: True)),
        (12, lambda: export_run.carry_out(round_.table, start, draw, RENDERER, clock.now())),
        (8, lambda: request_export(round_, item_id, "one", "md")),
    )
    export_row, item = find_export(round_, item_id, "one"), round_.row(item_id)
    restarts = sum(each.get("start_again", 0) for each in beats)
    assert (restarts + len(accepted(runs)), export_row["epoch"]) == (1, 1 + restarts)
    assert (export_row["status"], item["status"]) == (("RUNNING", "READY") if restarts else ("DONE", "SHIPPED"))
    assert {one["created_at"] for one in accepted(requests)} == {export_row["created_at"]}
    moves(round_, item)


def draw(form: str, *_: Any) -> export_run.RenderedFile:
    return export_run.RenderedFile(f"card.{form}", "text/plain", "", "卡片 card".encode())


SCENARIOS = (
    export_key_creates_one_export,
    export_key_has_one_set_of_files,
    archive_and_regenerate_race_an_export,
    dead_export_restarts_once,
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_concurrent_exports(arena: Arena, scenario: Callable[[Round], None]) -> None:
    arena.play(scenario)
