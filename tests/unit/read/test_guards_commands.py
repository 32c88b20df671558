"""Whoever was faster is not written over: a command looks again, and answers what the row is."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from readdo.lifecycle.advance import Forbidden, NotFound, advance_all
from readdo.lifecycle.write import WriteRefused
from readdo.read import item_commands, item_edits, workflows
from readdo.read.capture import capture
from readdo.read.capture_request import CaptureRequest
from readdo.read.item_deletion import delete
from readdo.read.item_rows import page_left
from readdo.read.item_transactions import Build, Command, carry_out
from readdo.store import artifacts, keys
from support.races import ITEM, LATE, T1, T2, Raced, card, item
from support.template import ROOT

SERVED = {"served_run_id": "01RUN"}
A_TASK = {"title": "列出对这张表的所有写入", "eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}
TASKS = {"todos": [A_TASK, {**A_TASK, "title": "给每个写入都加上条件"}, {**A_TASK, "title": "为每个条件写一个测试"}]}
MOVES: dict[str, tuple[Build, dict[str, Any]]] = {
    "process": (item_commands.requeue("process"), item("CAPTURED")),
    "retry": (item_commands.requeue("retry"), item("FAILED_AI")),
    "regenerate": (item_commands.requeue("regenerate", "student"), item("READY", **SERVED)),
    "keep": (item_commands.keep, item("FAILED_AI", **SERVED)),
    "ship": (item_commands.ship, item("READY", **SERVED)),
    "archive": (item_commands.archive(None), item("READY", **SERVED)),
    "archive_failure": (item_commands.archive(None), item("FAILED_AI")),
    "unarchive": (item_commands.unarchive, item("ARCHIVED", **SERVED)),
    "unarchive_anew": (item_commands.unarchive_anew, item("ARCHIVED")),
    "patch": (item_edits.patch({"domain": "example.org"}, "*"), item("READY", **SERVED)),
    "unedit": (item_edits.unedit("card"), item("READY", **SERVED, edited={"card": 2, "todos": 3})),
}


class NoExecutions:
    def start_execution(self, **_: Any) -> None:
        """AWS starts it; nothing runs here."""


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SCHEMAS_DIR", str(ROOT / "schemas"))
    monkeypatch.setenv("PROCESS_MACHINE_ARN", "arn")
    monkeypatch.setattr(workflows, "client", lambda _: NoExecutions())
    yield


@pytest.fixture
def table() -> Raced:
    return Raced()


def asked(table: Raced, build: Build, name: str = "it") -> dict[str, Any]:
    return carry_out(table, Command("me", "01ITEM", name, "key"), build, T1)


@pytest.mark.parametrize("move", MOVES)
def test_what_another_wrote_meanwhile_stays_and_is_in_the_answer(table: Raced, move: str) -> None:
    build, before = MOVES[move]
    table.has(ITEM, before)
    table.after_a_look(ITEM, lambda: table.touch(ITEM, title="二"))
    told = asked(table, build, move)["item"]
    after = table.rows[ITEM]
    assert (told["title"], told["version"], told["status"]) == (after["title"], after["version"], after["status"])
    assert (after["title"], after["version"]) == ("二", before["version"] + 2)


def test_of_two_edits_at_once_each_is_a_version_of_its_own(table: Raced) -> None:
    table.has(ITEM, item("READY", **SERVED, versions={"todos": 1}))
    key = keys.of_run("me", "01ITEM", "todos", "01RUN")
    table.has(key, {**card()[1], "type": "todos"})
    other = {
        "todos": [
            A_TASK,
            {**A_TASK, "title": "another one, of another"},
            {**A_TASK, "title": "a third one, of another"},
        ]
    }
    table.after_a_look(ITEM, lambda: asked_quietly(table, item_edits.edit(table, "todos", other, "*")))  # type: ignore[arg-type]
    told = asked(table, item_edits.edit(table, "todos", TASKS, "*"), "edit")  # type: ignore[arg-type]
    assert told["artifact"]["version"] == 3
    assert table.rows[ITEM]["edited"] == {"todos": 3}
    kept = [table.rows[keys.of_user("me", "01ITEM", "todos", n)]["payload"] for n in (2, 3)]
    assert ["another" in text for text in kept] == [True, False]


def asked_quietly(table: Raced, build: Build) -> None:
    carry_out(table, Command("me", "01ITEM", "edit"), build, T1)


def test_an_edit_that_another_made_meanwhile_is_not_answered_as_ones_own(table: Raced) -> None:
    table.has(ITEM, item("READY", **SERVED, versions={"todos": 1}))
    table.has(keys.of_run("me", "01ITEM", "todos", "01RUN"), {**card()[1], "type": "todos"})
    table.after_a_look(ITEM, lambda: table.touch(ITEM, title="二"))
    told = asked(table, item_edits.edit(table, "todos", TASKS, "*"), "edit")["item"]  # type: ignore[arg-type]
    assert (told["title"], told["version"]) == ("二", 9)


def test_a_users_version_is_written_once() -> None:
    table = Raced()
    row, before = item("READY"), {"meta": {}, "version": 1}
    advance_all(table, artifacts.write_of_user(row, "card", 2, {"headline": "first"}, before, T1))
    with pytest.raises(WriteRefused):
        advance_all(table, artifacts.write_of_user(row, "card", 2, {"headline": "second"}, before, T2))
    assert "first" in table.rows[keys.of_user("me", "01ITEM", "card", 2)]["payload"]


LINK: dict[str, Any] = {"url": "https://example.org/a", "process": False}


def test_of_two_captures_of_a_page_the_second_is_refused_by_its_row_and_joins_the_first(table: Raced) -> None:
    """Nobody looks before the write: so it makes no difference whether the two came at once."""
    capture(table, "me", CaptureRequest("first", **LINK), T1)
    second = capture(table, "me", CaptureRequest("second", **LINK), T2)
    assert second.joined
    assert (second.item["intents"], second.item["save_count"]) == (["first", "second"], 2)
    assert [key.sk for key in table.rows if key.sk.startswith("I#")] == [f"I#{second.item['id']}"]


def test_of_two_joins_at_once_both_reasons_are_kept(table: Raced) -> None:
    first = capture(table, "me", CaptureRequest("first", **LINK), T1).item["id"]
    key = keys.item("me", first)
    table.after_a_look(key, lambda: capture(table, "me", CaptureRequest("第二", **LINK), T2))
    third = capture(table, "me", CaptureRequest("third", **LINK), T2).item
    assert (third["intents"], third["save_count"]) == (["first", "第二", "third"], 3)
    assert table.rows[key]["intents"] == third["intents"]


def test_an_id_that_is_taken_is_not_written_over(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["01SAME", "01SAME", "01OTHER"])
    monkeypatch.setattr("readdo.ids.new", lambda _: next(drawn))
    first = capture(table, "me", CaptureRequest("first", process=False), T1).item
    second = capture(table, "me", CaptureRequest("second", process=False), T2).item
    assert (first["id"], second["id"]) == ("01SAME", "01OTHER")
    assert table.rows[keys.item("me", "01SAME")]["intent_text"] == "first"


@pytest.mark.parametrize(("holder", "left"), [("01ITEM", None), ("01OTHER", "01OTHER"), (None, None)])
def test_a_deleted_item_gives_up_its_page_and_no_others(table: Raced, holder: str | None, left: str | None) -> None:
    key = keys.page("me", "page")
    if holder:
        table.has(key, {"item": holder})
    try:
        table.write(page_left("me", "page", "01ITEM"))
    except WriteRefused:
        assert holder == "01OTHER"
    assert table.rows.get(key, {}).get("item") == left


@pytest.mark.parametrize("gone", [False, True])
def test_a_deleted_item_is_joined_and_deleted_no_more(table: Raced, gone: bool) -> None:
    table.has(ITEM, item("READY", **SERVED))
    asked(table, delete, "delete")
    buried = table.rows.pop(ITEM) if gone else None
    deeds: list[Callable[[], Any]] = [
        lambda: carry_out(table, Command("me", "01ITEM", "delete"), delete, LATE),
        lambda: carry_out(table, Command("me", "01ITEM", "ship"), item_commands.ship, LATE),
    ]
    for deed in deeds:
        with pytest.raises((NotFound, Forbidden)):
            deed()
    assert (ITEM in table.rows) == (buried is None)
