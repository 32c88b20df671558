"""mirror: tasks, runs and health get one page each in Notion and are kept up to date."""

import importlib
from typing import Any

import pytest

from functions.desk import add, claim, complete, get_task, start_run
from readdo import store
from readdo.do import task_rows
from readdo.integrations import integration_keys
from readdo.lifecycle.write import Write
from support.notion_server import column_text, notion_server
from support.notion_world import Mirrored, mirrored
from support.world import World, context


def titles_by_kind(mirror: Mirrored) -> dict[str, list[str]]:
    """The shown titles by kind."""
    titles: dict[str, list[str]] = {}
    for page in mirror.notion.pages.values():
        titles.setdefault(column_text(page["Kind"]), []).append(column_text(page["Name"]))
    return titles


def test_mirror_without_a_database_sends_no_requests(mirror: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTION_DATABASE_ID", "")
    add(mirror.world)
    assert mirror.world.heartbeat() == {}
    assert mirror.told == {"status": "off"}
    assert (mirror.row, mirror.notion.asked) == ({}, [])


def test_mirror_creates_each_page_once_and_updates_it(synced_mirror: Mirrored) -> None:
    name = add(synced_mirror.world, title="跑一遍检查", priority="P0", project="租约", tags=["队列", "a,b"])["id"]
    synced_mirror.turn()
    assert titles_by_kind(synced_mirror) == {"Health": ["Health"], "Task": ["跑一遍检查"]}
    assert [synced_mirror.notion.text(name, c) for c in ("Status", "Priority", "Project", "Tags")] == [
        "todo",
        "P0",
        "租约",
        "队列, a b",
    ]
    run = start_run(synced_mirror.world, worker="笔记本")
    synced_mirror.turn()
    assert (synced_mirror.notion.text(name, "Status"), synced_mirror.notion.text(run["id"], "Status")) == (
        "doing",
        "running",
    )
    complete(synced_mirror.world, run["id"], 1, error_message="三个用例失败 👍🏽", error_kind="execution")
    synced_mirror.turn()
    assert (synced_mirror.notion.text(name, "Status"), synced_mirror.notion.text(run["id"], "Status")) == (
        "blocked",
        "failed",
    )
    assert [synced_mirror.notion.text(run["id"], c) for c in ("Note", "Exit code", "Worker", "Task")] == [
        *("三个用例失败 👍🏽", "1", "笔记本", "跑一遍检查")
    ]
    assert synced_mirror.notion.text("HEALTH", "Status") == "unhealthy"
    assert len(synced_mirror.notion.pages) == 3


def test_mirror_does_not_send_unchanged_pages(synced_mirror: Mirrored) -> None:
    add(synced_mirror.world)
    synced_mirror.turn()
    before = synced_mirror.notion.writes()
    synced_mirror.turn()
    synced_mirror.turn()
    assert synced_mirror.notion.writes() == before


def test_mirror_clears_a_removed_value(synced_mirror: Mirrored) -> None:
    name = add(synced_mirror.world)["id"]
    complete(synced_mirror.world, start_run(synced_mirror.world)["id"], 1)
    synced_mirror.turn()
    assert synced_mirror.notion.text(name, "Note") == get_task(synced_mirror.world, name)["blocked_message"]
    synced_mirror.world.api("POST", f"/tasks/{name}/requeue", {})
    synced_mirror.turn()
    assert (synced_mirror.notion.text(name, "Status"), synced_mirror.notion.text(name, "Note")) == ("todo", "")


def test_mirror_shows_existing_tasks_and_runs(mirror: Mirrored) -> None:
    add(mirror.world, title="old")
    complete(mirror.world, start_run(mirror.world)["id"])
    mirror.world.heartbeat()
    mirror.beat()
    assert titles_by_kind(mirror) == {"Task": ["old"], "Run": ["runQA #1"], "Health": ["Health"]}
    assert mirror.world.api("GET", "/health").json["lastSyncNotion"] is not None


def test_mirror_shows_the_pipeline_run_of_an_item(synced_mirror: Mirrored) -> None:
    item = synced_mirror.world.capture(title="围栏令牌")
    assert synced_mirror.world.settled(item)["status"] == "READY"
    synced_mirror.turn()
    (page,) = [page for page in synced_mirror.notion.pages.values() if column_text(page["Kind"]) == "Run"]
    assert [column_text(page[c]) for c in ("Name", "Task", "Status")] == ["pipeline #1", "围栏令牌", "succeeded"]


def test_mirror_adds_missing_columns_and_keeps_others(user_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with notion_server("名称", 备注="rich_text") as notion, mirrored(user_world, notion, monkeypatch) as mirror:
        add(user_world, title="检查")
        user_world.heartbeat()
        mirror.beat()
        assert {"名称", "备注", "Kind", "Status", "Id"} <= set(notion.columns)
        assert sorted(column_text(page["名称"]) for page in notion.pages.values()) == ["Health", "检查"]


def test_sync_out_of_time_is_resumed_without_duplicates(synced_mirror: Mirrored) -> None:
    names = [add(synced_mirror.world)["id"] for _ in range(5)]
    synced_mirror.changed()
    remaining = iter([60_000, 60_000, 40_000])
    clocks = context("mirror", lambda: next(remaining, 60_000))
    synced_mirror.world.instead["mirror"] = lambda _, event: importlib.import_module("mirror").handler(event, clocks)
    assert synced_mirror.beat() == {"sync": 1}
    assert len(titles_by_kind(synced_mirror)["Task"]) == 2
    assert synced_mirror.world.heartbeat() == {"sync": 1}, "it is due at once"
    assert [len(synced_mirror.notion.of(name)) for name in names] == [1] * 5


def test_page_archived_in_notion_stays_archived(synced_mirror: Mirrored) -> None:
    name = add(synced_mirror.world)["id"]
    synced_mirror.turn()
    (key,) = [key for key, page in synced_mirror.notion.pages.items() if column_text(page["Id"]) == name]
    synced_mirror.notion.archived.add(key)
    claim(synced_mirror.world)
    synced_mirror.turn()
    claim(synced_mirror.world)
    synced_mirror.turn()
    assert synced_mirror.notion.text(name, "Status") == "todo"
    assert synced_mirror.told == {"status": "on"}


def test_sync_includes_changes_that_arrive_meanwhile(synced_mirror: Mirrored) -> None:
    add(synced_mirror.world, title="first")
    synced_mirror.changed()
    late: list[str] = []

    def add_task_meanwhile(*_: Any) -> None:
        late.append(add(synced_mirror.world, title="late")["id"])
        synced_mirror.changed()

    synced_mirror.notion.tricks = [lambda *_: None, add_task_meanwhile]
    assert synced_mirror.beat() == {"sync": 1}
    assert sorted(titles_by_kind(synced_mirror)["Task"]) == ["first", "late"]


def test_mirror_ignores_tasks_of_another_owner(synced_mirror: Mirrored) -> None:
    others = [task_rows.task_key(name, "x") for name in ("you", f"{synced_mirror.world.owner}2")]
    assert synced_mirror.streamed(*others) == []
    assert synced_mirror.marked == []


def test_mirror_stops_when_switched_off_and_resumes_when_switched_on(
    synced_mirror: Mirrored, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = synced_mirror.row["filled"]
    monkeypatch.setenv("NOTION_DATABASE_ID", "")
    assert synced_mirror.beat() == {"switch_off": 1}
    assert (synced_mirror.told, synced_mirror.ended) == ({"status": "off"}, "OFF")
    before = len(synced_mirror.notion.asked)
    name = add(synced_mirror.world)["id"]
    synced_mirror.changed()
    assert (synced_mirror.world.heartbeat(), len(synced_mirror.notion.asked)) == ({}, before)
    monkeypatch.setenv("NOTION_DATABASE_ID", database)
    synced_mirror.world.heartbeat()
    assert synced_mirror.world.heartbeat() == {"sync": 1}
    assert len(synced_mirror.notion.of(name)) == 1


@pytest.mark.parametrize("text", ["字" * 200, "👍🏽" * 60, "a,b,c\u202e\n\t", "<b>&amp;</b>"])
def test_mirror_shows_unusual_titles_unchanged(synced_mirror: Mirrored, text: str) -> None:
    answer = synced_mirror.world.api("POST", "/tasks", {"intent": "read", "title": text, "tags": [text[:40]]})
    if answer.status == 201:
        synced_mirror.turn()
        assert synced_mirror.told == {"status": "on"}
        assert (
            column_text(synced_mirror.notion.of(answer.json["task"]["id"])[0]["Name"]) == answer.json["task"]["title"]
        )


def test_sync_clears_the_mark_of_a_deleted_task(synced_mirror: Mirrored) -> None:
    assert synced_mirror.streamed(task_rows.task_key(synced_mirror.world.owner, "gone")) == []
    assert len(synced_mirror.marked) == 1
    synced_mirror.beat()
    assert synced_mirror.marked == []


def test_stream_brings_the_first_row_that_was_not_marked_again(
    synced_mirror: Mirrored, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [task_rows.task_key(synced_mirror.world.owner, name) for name in ("a", "b", "c")]
    write = synced_mirror.world.table.write

    def fail_at_the_second(one: Write) -> dict[str, Any]:
        if one.key.sk.startswith(integration_keys.MARK_PREFIX) and one.key.sk.endswith(written[1].sk):
            raise RuntimeError("the table does not answer")
        return write(one)

    monkeypatch.setattr(synced_mirror.world.table, "write", fail_at_the_second)
    monkeypatch.setattr(store, "open_table", lambda: synced_mirror.world.table)
    assert synced_mirror.streamed(*written) == [{"itemIdentifier": "1"}]
    assert len(synced_mirror.marked) == 1
