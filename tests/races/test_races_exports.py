"""Races of exports: one key is one set of files, whoever asks for it, draws it or starts it again."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from race_items import PAST, done, ready
from race_round import THREADS, Arena, Round, granted, is_whole, moves, numbers, told

from readdo import clock, files
from readdo.errors import LeaseLost
from readdo.lifecycle.write import Write
from readdo.read import export_run, exports, item_commands, sweep
from readdo.store import keys
from readdo.store.idempotency import KeyReused

BROKEN = {"Error": "KeyError", "Cause": "{}"}
RENDERER = {"name": "races", "version": "1"}


def asked(round_: Round, item_id: str, key: str, *formats: str) -> dict[str, Any]:
    return exports.request_export(round_.table, round_.owner, item_id, exports.ExportRequest(key, formats), clock.now())


def one_key_is_one_export(round_: Round) -> None:
    item_id = ready(round_)
    first, second, other = round_.race(
        (12, lambda: asked(round_, item_id, "one", "md", "caption")),
        (12, lambda: asked(round_, item_id, "two", "md")),
        (8, lambda: asked(round_, item_id, "two", "png")),
    )
    assert len(granted(first)) == 12
    assert sorted((len(granted(second)), len(granted(other)))) in ([0, 8], [0, 12])
    assert len(told(second + other, KeyReused)) in (8, 12)
    row = round_.row(item_id)
    assert sorted(numbers(round_, row)["export"]) == [1, 2]
    assert {one["run_id"] for one in granted(first)} == {kept(round_, item_id, "one")["run_id"]}
    moves(round_, row)


def one_key_is_one_set_of_files(round_: Round) -> None:
    """Every delivery draws something else, and all are told of the same bytes; one that failed comes in between."""
    item_id = ready(round_)
    row = asked(round_, item_id, "one", "md", "caption")
    start = export_run.ExportRun(round_.owner, item_id, row["key_digest"], row["epoch"])
    drawings = count()

    def draw(form: str, *_: Any) -> export_run.RenderedFile:
        return export_run.RenderedFile(f"card.{form}", "text/plain", "", f"{next(drawings)} 第几次".encode())

    def carries_out() -> None:
        export_run.carry_out(round_.table, start, draw, RENDERER, clock.now())

    def fails() -> str:
        return export_run.fail(round_.table, start, BROKEN, clock.now()).code

    works, failed = round_.race((24, carries_out), (8, fails))
    ended, item = kept(round_, item_id, "one"), round_.row(item_id)
    assert len(granted(works)) + len(granted(failed)) == 1
    assert len(told(works + failed, LeaseLost)) == THREADS - 1
    assert (ended["status"], item["status"]) == (("DONE", "SHIPPED") if granted(works) else ("FAILED", "FAILED_EXPORT"))
    for file in ended["files"].values():
        assert files.sha256(files.get(file["at"])) == file["sha256"]
    assert set(ended["files"]) == ({"md", "caption"} if granted(works) else set())
    assert is_whole(round_, item)
    moves(round_, item)


def kept(round_: Round, item_id: str, key: str) -> dict[str, Any]:
    found = exports.find(round_.table, round_.owner, item_id, key)
    assert found is not None
    return found


def an_item_archived_while_it_is_exported(round_: Round) -> None:
    item_id = ready(round_)
    asks, puts_away, wishes = round_.race(
        (12, lambda: asked(round_, item_id, "one", "md")),
        (10, lambda: done(round_, item_id, "archive", item_commands.archive(None))),
        (10, lambda: done(round_, item_id, "process", item_commands.requeue("regenerate"))),
    )
    row = round_.row(item_id)
    way = moves(round_, row)
    rows = [one for one in round_.inside(item_id) if one["sk"].startswith(keys.EXPORT_PREFIX)]
    assert len(rows) == row["versions"]["export"] == bool(granted(asks))
    assert way.count("regenerate") == len(granted(wishes))
    assert way.count("archive") == len(granted(puts_away))
    numbers(round_, row)


def an_export_that_died_is_started_again_once(round_: Round) -> None:
    """Heartbeats against the last start, which draws on, and against its owner, who asks again."""
    item_id = ready(round_)
    row = asked(round_, item_id, "one", "md")
    round_.table.write(Write(keys.export(round_.owner, item_id, "one"), sets={"due_at": PAST}))
    start = export_run.ExportRun(round_.owner, item_id, row["key_digest"], row["epoch"])
    beats, works, asks = round_.race(
        (12, lambda: sweep.sweep(round_.table, lambda: True)),
        (12, lambda: export_run.carry_out(round_.table, start, drawn, RENDERER, clock.now())),
        (8, lambda: asked(round_, item_id, "one", "md")),
    )
    ended, item = kept(round_, item_id, "one"), round_.row(item_id)
    again = sum(each.get("start_again", 0) for each in beats)
    assert (again + len(granted(works)), ended["epoch"]) == (1, 1 + again)
    assert (ended["status"], item["status"]) == (("RUNNING", "READY") if again else ("DONE", "SHIPPED"))
    assert {one["created_at"] for one in granted(asks)} == {ended["created_at"]}
    moves(round_, item)


def drawn(form: str, *_: Any) -> export_run.RenderedFile:
    return export_run.RenderedFile(f"card.{form}", "text/plain", "", "卡片 card".encode())


SCENES = (
    one_key_is_one_export,
    one_key_is_one_set_of_files,
    an_item_archived_while_it_is_exported,
    an_export_that_died_is_started_again_once,
)


@pytest.mark.parametrize("scene", SCENES)
def test_of_exports_at_once(arena: Arena, scene: Callable[[Round], None]) -> None:
    arena.play(scene)
