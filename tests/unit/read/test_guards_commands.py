"""Concurrent commands: a command retries after a lost race and returns the current row."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest

from readdo import invocations
from readdo.lifecycle.advance import Forbidden, NotFound, advance_all
from readdo.lifecycle.write import WriteRefused
from readdo.read import artifacts, item_commands, item_edits, item_keys
from readdo.read.capture import capture
from readdo.read.item_deletion import delete
from readdo.read.item_rows import CaptureRequest, page_left
from readdo.read.item_transactions import Build, Command, carry_out
from readdo.read.rows import ItemRow
from support.races import ITEM, LATE, T1, T2, Raced, card, item
from support.template import ROOT

SERVED = {"served_run_id": "01RUN"}
TASK = {"title": "列出对这张表的所有写入", "eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}
TASKS = {"todos": [TASK, {**TASK, "title": "给每个写入都加上条件"}, {**TASK, "title": "为每个条件写一个测试"}]}
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
        """Accept the call without running anything."""


@pytest.fixture(autouse=True)
def fake_workflows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SCHEMAS_DIR", str(ROOT / "schemas"))
    monkeypatch.setenv("PROCESS_MACHINE_ARN", "arn")
    monkeypatch.setattr(invocations, "client", lambda _: NoExecutions())
    yield


@pytest.fixture
def table() -> Raced:
    return Raced()


def run_command(table: Raced, build: Build, name: str = "it") -> dict[str, Any]:
    return carry_out(table, Command("me", "01ITEM", name, "key"), build, T1)


@pytest.mark.parametrize("move", MOVES)
def test_command_keeps_and_returns_a_concurrent_write(table: Raced, move: str) -> None:
    build, before = MOVES[move]
    table.has(ITEM, before)
    table.after_read(ITEM, lambda: table.touch(ITEM, title="二"))
    returned = run_command(table, build, move)["item"]
    after = table.rows[ITEM]
    assert (returned["title"], returned["version"], returned["status"]) == (
        after["title"],
        after["version"],
        after["status"],
    )
    assert (after["title"], after["version"]) == ("二", before["version"] + 2)


def test_concurrent_edits_get_separate_versions(table: Raced) -> None:
    table.has(ITEM, item("READY", **SERVED, versions={"todos": 1}))
    key = item_keys.run_artifact("me", "01ITEM", "todos", "01RUN")
    table.has(key, {**card()[1], "type": "todos"})
    other = {
        "todos": [
            TASK,
            {**TASK, "title": "another one, of another"},
            {**TASK, "title": "a third one, of another"},
        ]
    }
    table.after_read(ITEM, lambda: edit_concurrently(table, item_edits.edit(table, "todos", other, "*")))  # type: ignore[arg-type]
    response = run_command(table, item_edits.edit(table, "todos", TASKS, "*"), "edit")  # type: ignore[arg-type]
    assert response["artifact"]["version"] == 3
    assert table.rows[ITEM]["edited"] == {"todos": 3}
    payloads = [table.rows[item_keys.user_artifact("me", "01ITEM", "todos", n)]["payload"] for n in (2, 3)]
    assert ["another" in text for text in payloads] == [True, False]


def edit_concurrently(table: Raced, build: Build) -> None:
    carry_out(table, Command("me", "01ITEM", "edit"), build, T1)


def test_edit_returns_the_current_item_after_a_concurrent_write(table: Raced) -> None:
    table.has(ITEM, item("READY", **SERVED, versions={"todos": 1}))
    table.has(item_keys.run_artifact("me", "01ITEM", "todos", "01RUN"), {**card()[1], "type": "todos"})
    table.after_read(ITEM, lambda: table.touch(ITEM, title="二"))
    returned = run_command(table, item_edits.edit(table, "todos", TASKS, "*"), "edit")["item"]  # type: ignore[arg-type]
    assert (returned["title"], returned["version"]) == ("二", 9)


def test_user_version_is_not_overwritten() -> None:
    table = Raced()
    row, before = item("READY"), {"meta": {}, "version": 1}
    advance_all(table, artifacts.write_of_user(cast("ItemRow", row), "card", 2, {"headline": "first"}, before, T1))
    with pytest.raises(WriteRefused):
        advance_all(table, artifacts.write_of_user(cast("ItemRow", row), "card", 2, {"headline": "second"}, before, T2))
    assert "first" in table.rows[item_keys.user_artifact("me", "01ITEM", "card", 2)]["payload"]


LINK: dict[str, Any] = {"url": "https://example.org/a", "process": False}


def test_second_capture_of_a_page_joins_the_first(table: Raced) -> None:
    """Capture writes without reading first, so sequential calls test the race as well."""
    capture(table, "me", CaptureRequest("first", **LINK), T1)
    second = capture(table, "me", CaptureRequest("second", **LINK), T2)
    assert second.joined
    assert (second.item["intents"], second.item["save_count"]) == (["first", "second"], 2)
    assert [key.sk for key in table.rows if key.sk.startswith("I#")] == [f"I#{second.item['id']}"]


def test_concurrent_joins_keep_both_intents(table: Raced) -> None:
    first = capture(table, "me", CaptureRequest("first", **LINK), T1).item["id"]
    key = item_keys.item("me", first)
    table.after_read(key, lambda: capture(table, "me", CaptureRequest("第二", **LINK), T2))
    third = capture(table, "me", CaptureRequest("third", **LINK), T2).item
    assert (third["intents"], third["save_count"]) == (["first", "第二", "third"], 3)
    assert table.rows[key]["intents"] == third["intents"]


def test_capture_with_a_taken_id_uses_another_id(table: Raced, monkeypatch: pytest.MonkeyPatch) -> None:
    new_ids = iter(["01SAME", "01SAME", "01OTHER"])
    monkeypatch.setattr("readdo.clock.new_id", lambda _: next(new_ids))
    first = capture(table, "me", CaptureRequest("first", process=False), T1).item
    second = capture(table, "me", CaptureRequest("second", process=False), T2).item
    assert (first["id"], second["id"]) == ("01SAME", "01OTHER")
    assert table.rows[item_keys.item("me", "01SAME")]["intent_text"] == "first"


@pytest.mark.parametrize(("holder", "expected"), [("01ITEM", None), ("01OTHER", "01OTHER"), (None, None)])
def test_deletion_releases_only_the_items_own_page(table: Raced, holder: str | None, expected: str | None) -> None:
    key = item_keys.page("me", "page")
    if holder:
        table.has(key, {"item": holder})
    try:
        table.write(page_left("me", "page", "01ITEM"))
    except WriteRefused:
        assert holder == "01OTHER"
    assert table.rows.get(key, {}).get("item") == expected


@pytest.mark.parametrize("is_purged", [False, True])
def test_deleted_item_accepts_no_more_commands(table: Raced, is_purged: bool) -> None:
    table.has(ITEM, item("READY", **SERVED))
    run_command(table, delete, "delete")
    purged = table.rows.pop(ITEM) if is_purged else None
    commands: list[Callable[[], Any]] = [
        lambda: carry_out(table, Command("me", "01ITEM", "delete"), delete, LATE),
        lambda: carry_out(table, Command("me", "01ITEM", "ship"), item_commands.ship, LATE),
    ]
    for command in commands:
        with pytest.raises((NotFound, Forbidden)):
            command()
    assert (ITEM in table.rows) == (purged is None)
