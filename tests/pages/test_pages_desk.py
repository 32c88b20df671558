"""Pages of the Do desk: runs and evidence, health, and todos that became tasks."""

import hashlib
from typing import Any

import pytest
from screens.do.charts import HIGH, chart_bars
from screens.i18n import words

from readdo import clock, files
from readdo.do.health import DECIDING, WARNING
from readdo.integrations import integration_keys
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import STAYS
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import Write
from readdo.messages import message
from readdo.store import tokens
from support.page_items import ready_item
from support.page_tasks import add_task, complete_task, get_task, start_task, state_of
from support.reader import Reader
from support.world import World


def test_task_page_shows_a_run_with_summary_and_evidence(world: World, reader: Reader) -> None:
    task_id = start_task(world)
    run = get_task(world, task_id)["run_id"]
    body = b"all <green>"
    evidence = {"type": "log", "name": "out <1>.txt", "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    for _ in range(2):
        assert world.api("POST", f"/runs/{run}/evidence", evidence).status == 201
    files.put_once(f"runs/{run}/001-out--1-.txt", body, "text/plain")
    world.api("POST", f"/runs/{run}/complete", {"exit_code": 0, "summary": "It <b>went</b> well."})
    page = reader.look(f"/my/tasks/{task_id}")
    assert "It <b>went</b> well." in page.words(f"#run-{run}")
    assert "out <1>.txt" in page.words(".files")
    (link,) = page.tree.cssselect(".files a")
    answer = reader.ask("GET", link.get("href"))
    assert answer.status == 302
    assert f"runs/{run}/001" in answer.headers["location"]
    stranger = Reader(world, token=tokens.issue(world.table, "another", "theirs"))
    assert stranger.look(link.get("href")).status == 404


def test_runs_page_lists_runs_of_tasks_and_items(world: World, reader: Reader) -> None:
    item_id = ready_item(world)
    task_id = complete_task(world, 3, error_message="The <i> broke.")
    page = reader.look("/my/runs")
    assert "The <i> broke." in page.words()
    assert page.tree.cssselect(f'a[href="/my/items/{item_id}"]')
    assert page.tree.cssselect(f'a[href^="/my/tasks/{task_id}#run-"]')
    failed = reader.look(page.link("status=failed"))
    assert failed.tree.cssselect(f'a[href^="/my/tasks/{task_id}#run-"]')
    assert not failed.tree.cssselect(f'a[href="/my/items/{item_id}"]')


def test_runs_page_is_paginated(world: World, english: Reader) -> None:
    mine = {complete_task(world) for _ in range(31)}
    page = english.look("/my/runs?status=succeeded")
    links: list[str] = []
    for _ in range(5):
        links += [a.get("href") for a in page.tree.cssselect(".run a.open")]
        further = [a.get("href") for a in page.tree.cssselect(".further a") if "cursor=" in a.get("href")]
        if not further:
            break
        assert "status=succeeded" in further[0]
        page = english.look(further[0])
    assert mine <= {link.removeprefix("/my/tasks/").partition("#")[0] for link in links}
    assert len(links) == len(set(links))


def test_health_page_shows_each_figure_with_limits_and_status(world: World, reader: Reader) -> None:
    page = reader.look("/my/health")
    health = world.api("GET", "/health").json
    say = words(reader.language)
    for name, figure in health["figures"].items():
        assert say(f"figure.{name}") in page.words(".figures")
        assert f"judged {figure['status']}" in page.text
    for limit in ("80", "95", "50", "10", "3"):
        assert limit in page.words(".figures")
    assert say(f"judged.{health['health']}") in page.words("h1")
    assert [len(svg.get("aria-label")) > 10 for svg in page.tree.cssselect("svg[role=img]")] == [True, True]
    assert len(page.tree.cssselect("#days tbody tr")) in (7, 8)


def test_health_page_without_runs_shows_no_data(world: World, reader: Reader) -> None:
    alone = Reader(world, token=tokens.issue(world.table, "nobody", "t"), language=reader.language)
    page = alone.look("/my/health")
    assert page.status == 200
    assert words(reader.language)("judged.no_data") in page.words(".figures")
    assert alone.look("/my/runs").words(".empty") == words(reader.language)("runs.none")


def test_health_page_shows_the_last_heartbeat(world: World, english: Reader) -> None:
    world.heartbeat()
    page = english.look("/my/health")
    beats = {time.get("datetime") for time in page.tree.cssselect(".beats time")}
    assert beats == {world.api("GET", "/health").json["lastHeartbeat"]}


def test_health_page_shows_errors_of_notion_in_the_readers_language(world: World, reader: Reader) -> None:
    owner = f"mirrored-{reader.language}"
    alone = Reader(world, token=tokens.issue(world.table, owner, "t"), language=reader.language)
    assert "Notion" not in alone.look("/my/health").words("main")
    trouble = {"code": "SILENT", "message": message("notion.no_answer"), "message_key": "notion.no_answer"}
    at = "2026-11-19T10:00:00.000Z"
    row = {"owner": owner, "status": "RESTING", "trouble": trouble, "due_at": at, "synced_at": at}
    world.table.write(Write(integration_keys.mirror(owner), "put", row=row))
    page = alone.look("/my/health")
    (failure,) = page.tree.cssselect(".failure")
    assert ("没有响应" in failure.text_content()) == (reader.language == "zh")
    assert {time.get("datetime") for time in page.tree.cssselect(".beats time, .failure time")} >= {at}
    world.table.write(Write(integration_keys.mirror(owner), "delete"))


def hour(**ended_so: Any) -> dict[str, Any]:
    return {"hour": "2026-11-19T00:00:00.000Z", "mean_duration": None, **dict.fromkeys(RUN.final, 0), **ended_so}


@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_chart_bars_stay_inside_and_are_visible(most: int) -> None:
    week = [hour(), hour(succeeded=most), hour(failed=1, timeout=0), hour(succeeded=1, failed=most - 1)]
    chart = chart_bars(week)
    bars = [*chart["good"], *chart["bad"]]
    assert all(bar["y"] >= 0 and bar["y"] + bar["high"] <= HIGH + 2 and bar["high"] >= 2 for bar in bars)
    assert (chart["succeeded"], chart["failed"], chart["most"]) == (most + 1, most, most)


def test_each_state_move_and_figure_of_the_desk_has_a_text() -> None:
    say = words("en")
    expected = {f"task.{state}" for state in TASK.states} | {f"run.{state}" for state in RUN.states}
    expected |= {f"none.{state}" for state in TASK.states}
    expected |= {f"moved.{row.trigger}" for row in TASK.rows if row.target != STAYS}
    expected |= {f"figure.{figure.name}" for figure in (*DECIDING, *WARNING)}
    reasons = {"retry", "failed", "dependency", "dependency_cancelled", "handed_back"}
    reasons |= {"lease_expired", "stopped", "on_request"}
    expected |= {f"blocked.{reason}" for reason in reasons}
    assert {name for name in expected if not say.knows(name)} == set()


def accept_all(reader: Reader, item_id: str) -> list[str]:
    page = reader.item(item_id)
    forms = [form for form in page.tree.forms if form.get("action", "").endswith("/accept")]
    return [reader.send(form).path for form in forms]


def test_accepted_todo_becomes_one_task_that_links_back(world: World, reader: Reader) -> None:
    item_id = ready_item(world)
    form = reader.item(item_id).form("/todos/1/accept")
    for _ in range(2):
        page = reader.send(form)
        assert (page.status, page.words(".flash") != "") == (200, True)
    (task_id,) = world.item(item_id)["tasks"] if "tasks" in world.item(item_id) else world.row(item_id)["tasks"]
    assert page.tree.cssselect(f'#todos li:first-child a[href="/my/tasks/{task_id}"]')
    assert not page.has("/todos/1/accept")
    task = reader.look(f"/my/tasks/{task_id}")
    assert task.tree.cssselect(f'a[href="/my/items/{item_id}"]')
    assert words(reader.language)("work.done", done=0, total=1) in page.words("#work")


def test_item_with_all_tasks_done_offers_to_archive_it(world: World, english: Reader) -> None:
    item_id = ready_item(world)
    accept_all(english, item_id)
    tasks = world.row(item_id)["tasks"]
    assert len(tasks) >= 3
    for task_id in tasks:
        assert not english.item(item_id).tree.cssselect(".offer")
        english.send(english.send(english.look(f"/my/tasks/{task_id}").form("/do/claim")).form("/do/complete"))
        assert state_of(world, task_id) == "done"
    page = english.item(item_id)
    assert f"{len(tasks)} of {len(tasks)} tasks done" in page.words("#work")
    (offer,) = page.tree.cssselect(".offer form")
    english.send(offer)
    assert world.item(item_id)["status"] == "ARCHIVED"


@pytest.mark.parametrize("version", ["", "0", "-1", "x", "99999999999", "7"])
def test_todo_of_another_version_is_not_accepted(world: World, reader: Reader, version: str) -> None:
    item_id = ready_item(world)
    page = reader.send(reader.item(item_id).form("/todos/1/accept"), version=version)
    assert page.status in (400, 412)
    assert page.words("[role=alert]")
    assert "tasks" not in world.row(item_id)


def test_task_of_an_earlier_todos_version_stays_linked(world: World, english: Reader) -> None:
    item_id = ready_item(world)
    english.send(english.item(item_id).form("/todos/1/accept"))
    english.send(english.item(item_id, "?edit=todos").form("/change/todos"), title0="Another thing altogether")
    page = english.item(item_id)
    assert page.has("/todos/1/accept")
    assert page.tree.cssselect(f'#work a[href="/my/tasks/{world.row(item_id)["tasks"][0]}"]')


def test_overdue_task_is_marked_with_text(world: World, english: Reader) -> None:
    task_id = add_task(world, due_date="2026-01-02")
    assert "overdue since 2026-01-02" in english.look(f"/my/tasks/{task_id}").words()
    later = clock.after(clock.now(), 86_400 * 3)[:10]
    assert f"due {later}" in english.look(f"/my/tasks/{add_task(world, due_date=later)}").words()
