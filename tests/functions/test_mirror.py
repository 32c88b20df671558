"""Tasks, runs and health in Notion: made once, kept up to date, whatever Notion says and whoever dies."""

import importlib
from types import SimpleNamespace
from typing import Any

import pytest
from desk import add, claim, complete, started, task

from readdo.store import keys
from support.notion_server import column_text, notion_server
from support.notion_world import Mirrored, mirrored
from support.world import World


def rows(to: Mirrored) -> dict[str, list[str]]:
    """Kind → the titles that are shown."""
    found: dict[str, list[str]] = {}
    for page in to.notion.pages.values():
        found.setdefault(column_text(page["Kind"]), []).append(column_text(page["Name"]))
    return found


def test_without_a_database_nothing_is_shown_and_nobody_is_asked(to: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTION_DATABASE_ID", "")
    add(to.world)
    assert to.world.heartbeat() == {}
    assert to.told == {"status": "off"}
    assert (to.row, to.notion.asked) == ({}, [])


def test_tasks_runs_and_health_are_made_once_and_then_kept_up_to_date(on: Mirrored) -> None:
    name = add(on.world, title="跑一遍检查", priority="P0", project="租约", tags=["队列", "a,b"])["id"]
    on.turn()
    assert rows(on) == {"Health": ["Health"], "Task": ["跑一遍检查"]}
    assert [on.notion.text(name, c) for c in ("Status", "Priority", "Project", "Tags")] == [
        "todo",
        "P0",
        "租约",
        "队列, a b",
    ]
    run = started(on.world, worker="笔记本")
    on.turn()
    assert (on.notion.text(name, "Status"), on.notion.text(run["id"], "Status")) == ("doing", "running")
    complete(on.world, run["id"], 1, error_message="三个用例失败 👍🏽", error_kind="execution")
    on.turn()
    assert (on.notion.text(name, "Status"), on.notion.text(run["id"], "Status")) == ("blocked", "failed")
    assert [on.notion.text(run["id"], c) for c in ("Note", "Exit code", "Worker", "Task")] == [
        *("三个用例失败 👍🏽", "1", "笔记本", "跑一遍检查")
    ]
    assert on.notion.text("HEALTH", "Status") == "unhealthy"
    assert len(on.notion.pages) == 3


def test_what_is_as_it_was_is_not_sent_again(on: Mirrored) -> None:
    add(on.world)
    on.turn()
    before = on.notion.writes()
    on.turn()
    on.turn()
    assert on.notion.writes() == before


def test_a_value_that_is_gone_is_gone_there_too(on: Mirrored) -> None:
    name = add(on.world)["id"]
    complete(on.world, started(on.world)["id"], 1)
    on.turn()
    assert on.notion.text(name, "Note") == task(on.world, name)["blocked_message"]
    on.world.api("POST", f"/tasks/{name}/requeue", {})
    on.turn()
    assert (on.notion.text(name, "Status"), on.notion.text(name, "Note")) == ("todo", "")


def test_what_was_there_before_the_mirror_is_shown_without_having_changed(to: Mirrored) -> None:
    add(to.world, title="old")
    complete(to.world, started(to.world)["id"])
    to.world.heartbeat()
    to.beat()
    assert rows(to) == {"Task": ["old"], "Run": ["runQA #1"], "Health": ["Health"]}
    assert to.world.api("GET", "/health").json["lastSyncNotion"] is not None


def test_a_run_of_an_items_pipeline_is_shown_until_it_has_ended(on: Mirrored) -> None:
    item = on.world.capture(title="围栏令牌")
    assert on.world.settled(item)["status"] == "READY"
    on.turn()
    (shown,) = [page for page in on.notion.pages.values() if column_text(page["Kind"]) == "Run"]
    assert [column_text(shown[c]) for c in ("Name", "Task", "Status")] == ["pipeline #1", "围栏令牌", "succeeded"]


def test_the_database_gets_the_columns_that_it_lacks_and_keeps_its_own(
    somebodys: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with notion_server("名称", 备注="rich_text") as notion, mirrored(somebodys, notion, monkeypatch) as to:
        add(somebodys, title="检查")
        somebodys.heartbeat()
        to.beat()
        assert {"名称", "备注", "Kind", "Status", "Id"} <= set(notion.columns)
        assert sorted(column_text(page["名称"]) for page in notion.pages.values()) == ["Health", "检查"]


def test_a_turn_that_has_no_time_left_is_gone_on_with_and_makes_nothing_twice(on: Mirrored) -> None:
    names = [add(on.world)["id"] for _ in range(5)]
    on.changed()
    left = iter([60_000, 60_000, 40_000])
    clocks = SimpleNamespace(get_remaining_time_in_millis=lambda: next(left, 60_000))
    on.world.instead["mirror"] = lambda _, event: importlib.import_module("mirror").handler(event, clocks)
    assert on.beat() == {"sync": 1}
    assert len(rows(on)["Task"]) == 2
    assert on.world.heartbeat() == {"sync": 1}, "it is due at once"
    assert [len(on.notion.of(name)) for name in names] == [1] * 5


def test_a_page_that_was_thrown_away_in_notion_stays_away(on: Mirrored) -> None:
    name = add(on.world)["id"]
    on.turn()
    (key,) = [key for key, page in on.notion.pages.items() if column_text(page["Id"]) == name]
    on.notion.archived.add(key)
    claim(on.world)
    on.turn()
    claim(on.world)
    on.turn()
    assert on.notion.text(name, "Status") == "todo"
    assert on.told == {"status": "on"}


def test_news_that_come_while_a_turn_goes_on_are_shown_by_it(on: Mirrored) -> None:
    add(on.world, title="first")
    on.changed()
    late: list[str] = []

    def meanwhile(*_: Any) -> None:
        late.append(add(on.world, title="late")["id"])
        on.changed()

    on.notion.tricks = [lambda *_: None, meanwhile]
    assert on.beat() == {"sync": 1}
    assert sorted(rows(on)["Task"]) == ["first", "late"]


def test_another_owners_tasks_are_not_shown(on: Mirrored) -> None:
    assert on.streamed(*(keys.task(name, "x") for name in ("you", f"{on.world.owner}2"))) == 0


def test_switched_off_it_asks_no_more_and_switched_on_it_goes_on(on: Mirrored, monkeypatch: pytest.MonkeyPatch) -> None:
    database = on.row["filled"]
    monkeypatch.setenv("NOTION_DATABASE_ID", "")
    assert on.beat() == {"switch_off": 1}
    assert (on.told, on.ended) == ({"status": "off"}, "OFF")
    before = len(on.notion.asked)
    name = add(on.world)["id"]
    on.changed()
    assert (on.world.heartbeat(), len(on.notion.asked)) == ({}, before)
    monkeypatch.setenv("NOTION_DATABASE_ID", database)
    on.world.heartbeat()
    assert on.world.heartbeat() == {"sync": 1}
    assert len(on.notion.of(name)) == 1


@pytest.mark.parametrize("text", ["字" * 200, "👍🏽" * 60, "a,b,c\u202e\n\t", "<b>&amp;</b>"])
def test_hostile_titles_are_shown_as_they_are(on: Mirrored, text: str) -> None:
    answer = on.world.api("POST", "/tasks", {"intent": "read", "title": text, "tags": [text[:40]]})
    if answer.status == 201:
        on.turn()
        assert on.told == {"status": "on"}
        assert column_text(on.notion.of(answer.json["task"]["id"])[0]["Name"]) == answer.json["task"]["title"]


def test_a_task_that_is_gone_is_no_longer_marked(on: Mirrored) -> None:
    assert on.streamed(keys.task(on.world.owner, "gone")) == 1
    on.beat()
    assert on.marked == []
