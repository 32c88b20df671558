"""What ran and how the desk does, a task's tries with what proves them, and the todos that became tasks."""

import hashlib
from typing import Any

import pytest
from page_items import ready
from page_tasks import added, ended, of, state_of, taken
from screens.charts import HIGH, plots
from screens.i18n import words

from readdo import clock, files
from readdo.do.health import DECIDING, WARNING
from readdo.lifecycle.machine import STAYS
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.write import Write
from readdo.store import keys, tokens
from support.reader import Reader
from support.world import World


def test_a_try_is_shown_with_its_summary_and_its_evidence(shared: World, reader: Reader) -> None:
    task_id = taken(shared)
    run = of(shared, task_id)["run_id"]
    body = b"all <green>"
    told = {"type": "log", "name": "out <1>.txt", "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest()}
    for _ in range(2):
        assert shared.api("POST", f"/runs/{run}/evidence", told).status == 201
    files.put_once(f"runs/{run}/001-out--1-.txt", body, "text/plain")
    shared.api("POST", f"/runs/{run}/complete", {"exit_code": 0, "summary": "It <b>went</b> well."})
    page = reader.look(f"/my/tasks/{task_id}")
    assert "It <b>went</b> well." in page.words(f"#run-{run}")
    assert "out <1>.txt" in page.words(".files")
    (link,) = page.tree.cssselect(".files a")
    answer = reader.ask("GET", link.get("href"))
    assert answer.status == 302
    assert f"runs/{run}/001" in answer.headers["location"]
    stranger = Reader(shared, token=tokens.issue(shared.table, "another", "theirs"))
    assert stranger.look(link.get("href")).status == 404


def test_what_ran_is_one_list_of_tasks_and_readings(shared: World, reader: Reader) -> None:
    item_id = ready(shared)
    task_id = ended(shared, 3, error_message="The <i> broke.")
    page = reader.look("/my/runs")
    assert "The <i> broke." in page.words()
    assert page.tree.cssselect(f'a[href="/my/items/{item_id}"]')
    assert page.tree.cssselect(f'a[href^="/my/tasks/{task_id}#run-"]')
    failed = reader.look(page.link("status=failed"))
    assert failed.tree.cssselect(f'a[href^="/my/tasks/{task_id}#run-"]')
    assert not failed.tree.cssselect(f'a[href="/my/items/{item_id}"]')


def test_a_long_list_of_runs_goes_on(shared: World, english: Reader) -> None:
    mine = {ended(shared) for _ in range(31)}
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


def test_health_says_each_figure_its_limits_and_how_it_stands_in_words(shared: World, reader: Reader) -> None:
    page = reader.look("/my/health")
    told = shared.api("GET", "/health").json
    say = words(reader.language)
    for name, figure in told["figures"].items():
        assert say(f"figure.{name}") in page.words(".figures")
        assert f"judged {figure['status']}" in page.text
    for limit in ("80", "95", "50", "10", "3"):
        assert limit in page.words(".figures")
    assert say(f"judged.{told['health']}") in page.words("h1")
    assert [len(svg.get("aria-label")) > 10 for svg in page.tree.cssselect("svg[role=img]")] == [True, True]
    assert len(page.tree.cssselect("#days tbody tr")) in (7, 8)


def test_health_of_a_desk_on_which_nothing_ran_is_no_data_and_no_error(shared: World, reader: Reader) -> None:
    alone = Reader(shared, token=tokens.issue(shared.table, "nobody", "t"), language=reader.language)
    page = alone.look("/my/health")
    assert page.status == 200
    assert words(reader.language)("judged.no_data") in page.words(".figures")
    assert alone.look("/my/runs").words(".empty") == words(reader.language)("runs.none")


def test_when_the_heartbeat_was_last_there(shared: World, english: Reader) -> None:
    shared.heartbeat()
    page = english.look("/my/health")
    beats = {time.get("datetime") for time in page.tree.cssselect(".beats time")}
    assert beats == {shared.api("GET", "/health").json["lastHeartbeat"]}


def test_what_notion_refuses_stands_on_the_page_in_ones_language(shared: World, reader: Reader) -> None:
    owner = f"mirrored-{reader.language}"
    alone = Reader(shared, token=tokens.issue(shared.table, owner, "t"), language=reader.language)
    assert "Notion" not in alone.look("/my/health").words("main")
    told = {"code": "SILENT", "message": "Notion did not answer. It is tried again by itself."}
    at = "2026-11-19T10:00:00.000Z"
    row = {"owner": owner, "status": "RESTING", "trouble": told, "due_at": at, "synced_at": at}
    shared.table.write(Write(keys.mirror(owner), "put", row=row))
    page = alone.look("/my/health")
    (said,) = page.tree.cssselect(".failure")
    assert ("没有应答" in said.text_content()) == (reader.language == "zh")
    assert {time.get("datetime") for time in page.tree.cssselect(".beats time, .failure time")} >= {at}
    shared.table.write(Write(keys.mirror(owner), "delete"))


def hour(**ended_so: Any) -> dict[str, Any]:
    return {"hour": "2026-11-19T00:00:00.000Z", "mean_duration": None, **dict.fromkeys(RUN.final, 0), **ended_so}


@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_bars_stay_within_their_drawing_and_even_one_is_seen(most: int) -> None:
    week = [hour(), hour(succeeded=most), hour(failed=1, timeout=0), hour(succeeded=1, failed=most - 1)]
    drawn = plots(week)
    bars = [*drawn["good"], *drawn["bad"]]
    assert all(bar["y"] >= 0 and bar["y"] + bar["high"] <= HIGH + 2 and bar["high"] >= 2 for bar in bars)
    assert (drawn["succeeded"], drawn["failed"], drawn["most"]) == (most + 1, most, most)


def test_whatever_the_tables_of_the_desk_know_has_a_text() -> None:
    say = words("en")
    wanted = {f"task.{state}" for state in TASK.states} | {f"run.{state}" for state in RUN.states}
    wanted |= {f"none.{state}" for state in TASK.states}
    wanted |= {f"moved.{row.trigger}" for row in TASK.rows if row.target != STAYS}
    wanted |= {f"figure.{figure.name}" for figure in (*DECIDING, *WARNING)}
    reasons = {"retry", "failed", "dependency", "dependency_cancelled", "handed_back"}
    reasons |= {"lease_expired", "stopped", "on_request"}
    wanted |= {f"blocked.{reason}" for reason in reasons}
    assert {name for name in wanted if not say.knows(name)} == set()


def accept_all(reader: Reader, item_id: str) -> list[str]:
    page = reader.item(item_id)
    forms = [form for form in page.tree.forms if form.get("action", "").endswith("/accept")]
    return [reader.send(form).path for form in forms]


def test_a_todo_that_is_accepted_is_a_task_once_that_links_back(shared: World, reader: Reader) -> None:
    item_id = ready(shared)
    form = reader.item(item_id).form("/todos/1/accept")
    for _ in range(2):
        page = reader.send(form)
        assert (page.status, page.words(".flash") != "") == (200, True)
    (task_id,) = shared.item(item_id)["tasks"] if "tasks" in shared.item(item_id) else shared.row(item_id)["tasks"]
    assert page.tree.cssselect(f'#todos li:first-child a[href="/my/tasks/{task_id}"]')
    assert not page.has("/todos/1/accept")
    task = reader.look(f"/my/tasks/{task_id}")
    assert task.tree.cssselect(f'a[href="/my/items/{item_id}"]')
    assert words(reader.language)("work.done", done=0, total=1) in page.words("#work")


def test_an_item_whose_tasks_are_all_done_offers_to_be_put_away(shared: World, english: Reader) -> None:
    item_id = ready(shared)
    accept_all(english, item_id)
    tasks = shared.row(item_id)["tasks"]
    assert len(tasks) >= 3
    for task_id in tasks:
        assert not english.item(item_id).tree.cssselect(".offer")
        english.send(english.send(english.look(f"/my/tasks/{task_id}").form("/do/claim")).form("/do/complete"))
        assert state_of(shared, task_id) == "done"
    page = english.item(item_id)
    assert f"{len(tasks)} of {len(tasks)} tasks done" in page.words("#work")
    (offer,) = page.tree.cssselect(".offer form")
    english.send(offer)
    assert shared.item(item_id)["status"] == "ARCHIVED"


@pytest.mark.parametrize("version", ["", "0", "-1", "x", "99999999999", "7"])
def test_todos_that_are_not_the_ones_shown_are_not_accepted(shared: World, reader: Reader, version: str) -> None:
    item_id = ready(shared)
    page = reader.send(reader.item(item_id).form("/todos/1/accept"), version=version)
    assert page.status in (400, 412)
    assert page.words("[role=alert]")
    assert "tasks" not in shared.row(item_id)


def test_a_task_of_an_earlier_version_stays_with_its_item(shared: World, english: Reader) -> None:
    item_id = ready(shared)
    english.send(english.item(item_id).form("/todos/1/accept"))
    english.send(english.item(item_id, "?edit=todos").form("/change/todos"), title0="Another thing altogether")
    page = english.item(item_id)
    assert page.has("/todos/1/accept")
    assert page.tree.cssselect(f'#work a[href="/my/tasks/{shared.row(item_id)["tasks"][0]}"]')


def test_what_is_late_is_said_and_not_only_coloured(shared: World, english: Reader) -> None:
    task_id = added(shared, due_date="2026-01-02")
    assert "late since 2026-01-02" in english.look(f"/my/tasks/{task_id}").words()
    later = clock.after(clock.now(), 86_400 * 3)[:10]
    assert f"due {later}" in english.look(f"/my/tasks/{added(shared, due_date=later)}").words()
