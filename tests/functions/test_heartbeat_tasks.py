"""heartbeat: what it does for tasks and runs. Time passes by the clock that the product reads."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import requests
from desk import add, claim, complete, run, started, task

from readdo import clock, files
from readdo.do import run_archive
from readdo.do.counters import OPEN_COUNTS
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import World

Later = Callable[[float], None]
FILE = b"412 checks\n"
LOG = {"type": "log", "name": "检查 qa.log", "content_type": "text/plain", "bytes": len(FILE)}


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Later:
    """So many seconds pass."""
    ahead, now = 0.0, clock.now

    def pass_by(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds

    monkeypatch.setattr(clock, "now", lambda: clock.after(now(), ahead))
    return pass_by


def states(made: World) -> dict[str, int]:
    return {name: count for name, count in made.api("GET", "/health").json["stats"].items() if count}


def test_a_worker_that_is_not_heard_of_gives_its_task_back(made: World, later: Later) -> None:
    name = add(made)["id"]
    dead = started(made, lease_seconds=60)["id"]
    later(61)
    assert made.heartbeat() == {"lapse": 1}
    assert (run(made, dead)["status"], run(made, dead)["error_kind"]) == ("cancelled", "cancelled")
    shown = task(made, name)
    assert (shown["status"], shown["blocked_reason"]) == ("blocked", "lease_expired")
    again = claim(made)
    assert again and (again["task"]["id"], again["run"]["attempt"]) == (name, 2)
    late = made.api("POST", f"/runs/{dead}/complete", {"exit_code": 0})
    assert (late.status, task(made, name)["status"]) == (409, "doing")


def test_a_worker_that_is_heard_of_keeps_it(made: World, later: Later) -> None:
    add(made, timeout_seconds=600)
    mine = started(made, lease_seconds=60)["id"]
    for _ in range(4):
        later(40)
        assert made.api("POST", f"/runs/{mine}/heartbeat", {}).status == 200
        assert set(made.heartbeat()) <= {"look_later"}
    assert run(made, mine)["status"] == "running"


def test_a_run_whose_time_is_over_is_ended_and_its_task_tried_once_more(made: World, later: Later) -> None:
    name = add(made, timeout_seconds=100)["id"]
    for status in ("blocked", "blocked"):
        mine = started(made, lease_seconds=3600)["id"]
        later(101)
        assert made.heartbeat()["overrun"] == 1
        assert (run(made, mine)["status"], task(made, name)["status"]) == ("timeout", status)
        later(301)
        made.heartbeat()
    shown = task(made, name)
    assert (shown["status"], shown["blocked_reason"], "next_try_at" in shown) == ("blocked", "failed", False)


def test_the_network_is_tried_three_times_after_30_60_and_120_seconds(made: World, later: Later) -> None:
    name = add(made)["id"]
    waits = []
    for _ in range(4):
        mine = started(made)
        ended = complete(made, mine["id"], 7, error_kind="network")
        at, then = ended["run"]["completed_at"], ended["task"].get("next_try_at")
        waits.append(round(clock.seconds_between(at, then)) if then else None)
        if waits[-1]:
            later(waits[-1] - 1)
            assert "lift" not in made.heartbeat()
            assert claim(made) is None
            later(2)
            assert made.heartbeat()["lift"] == 1
    assert waits == [30, 60, 120, None]
    assert task(made, name)["blocked_reason"] == "failed"


def test_a_person_who_enqueues_it_again_gives_it_all_its_tries(made: World, later: Later) -> None:
    name = add(made, max_retries=1)["id"]
    for _ in range(2):
        complete(made, started(made)["id"], 1)
        later(31)
        made.heartbeat()
    assert task(made, name)["blocked_reason"] == "failed"
    assert made.api("POST", f"/tasks/{name}/requeue", {}).json["task"]["status"] == "todo"
    assert complete(made, started(made)["id"], 1)["task"]["blocked_reason"] == "retry"


def test_what_waits_for_another_goes_on_when_that_is_done(made: World, later: Later) -> None:
    first = add(made, timeout_seconds=3600)["id"]
    second = add(made, priority="P0", depends_on=[first])["id"]
    mine = started(made, lease_seconds=3600)["id"]
    later(301)
    assert made.heartbeat()["look_later"] >= 1
    assert task(made, second)["blocked_reason"] == "dependency"
    complete(made, mine)
    later(301)
    assert made.heartbeat()["lift"] == 1
    assert task(made, second)["status"] == "todo"


def test_what_waits_for_what_was_cancelled_waits_for_its_owner(made: World, later: Later) -> None:
    first = add(made, hold=True)["id"]
    second = add(made, depends_on=[first])["id"]
    assert claim(made) is None
    made.api("POST", f"/tasks/{first}/cancel", {})
    later(301)
    assert made.heartbeat() == {"stop_waiting": 1}
    assert task(made, second)["blocked_reason"] == "dependency_cancelled"


def test_a_task_whose_call_died_before_it_was_enqueued_is_enqueued(made: World) -> None:
    held = add(made, hold=True)["id"]
    made.table.write(Write(keys.task(made.owner, held), sets={"due_shard": "1", "due_at": "2020-01-01T00:00:00.000Z"}))
    assert made.heartbeat() == {"enqueue": 1}
    assert task(made, held)["status"] == "todo"


def test_evidence_is_sent_to_the_bucket_listed_and_gone_with_its_run(on_moto: World, later: Later) -> None:
    add(on_moto)
    mine = started(on_moto)["id"]
    body = {**LOG, "sha256": hashlib.sha256(FILE).hexdigest()}
    told = on_moto.api("POST", f"/runs/{mine}/evidence", body).json
    assert told["evidence"]["stored"] is False
    sent = requests.put(told["upload"]["url"], FILE, headers=told["upload"]["headers"], timeout=10)
    assert sent.status_code == 200
    complete(on_moto, mine, summary="全部通过")
    (shown,) = on_moto.api("GET", f"/runs/{mine}").json["evidence"]
    assert (shown["name"], shown["stored"], shown["sha256"]) == (LOG["name"], True, body["sha256"])
    link = on_moto.api("GET", f"/runs/{mine}/evidence/1").headers["location"]
    assert requests.get(link, timeout=10).content == FILE
    summary = json.loads(files.get(f"runs/{mine}/summary.json"))
    assert (summary["status"], summary["summary"]) == ("succeeded", "全部通过")
    later(31 * 86_400)
    assert on_moto.heartbeat()["bury"] == 2  # the run, and its task
    assert on_moto.api("GET", f"/runs/{mine}").status == 404
    assert files.sizes(run_archive.place_of(mine)) == {}
    assert on_moto.table.get(keys.evidence(on_moto.owner, mine, 1)) is None


@pytest.mark.parametrize(("exit_code", "days"), [(0, 30), (1, 14)])
def test_a_run_is_shown_until_its_time_is_over_and_no_longer(
    made: World, later: Later, exit_code: int, days: int
) -> None:
    """Whether it has been taken away yet or not."""
    add(made)
    mine = started(made)["id"]
    complete(made, mine, exit_code)
    later((days - 1) * 86_400)
    assert run(made, mine)["id"] == mine
    later(86_500)
    assert made.api("GET", f"/runs/{mine}").status == 404
    assert made.api("GET", "/runs").json["runs"] == []


def test_a_cancelled_task_is_shown_for_a_week(made: World, later: Later) -> None:
    name = add(made)["id"]
    made.api("POST", f"/tasks/{name}/cancel", {})
    later(6 * 86_400)
    assert task(made, name)["status"] == "cancelled"
    later(86_500)
    assert made.api("GET", f"/tasks/{name}").status == 404
    assert made.api("GET", "/tasks").json["tasks"] == []


def test_a_summary_that_could_not_be_filed_is_filed(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add(made)
    mine = started(made)["id"]

    def broken(*_: Any) -> None:
        raise RuntimeError("the bucket did not answer")

    with monkeypatch.context() as patched:
        patched.setattr(run_archive, "file", broken)
        complete(made, mine)
    assert files.sizes(run_archive.place_of(mine)) == {}
    monkeypatch.setattr(clock, "now", lambda: clock.stamp(datetime.now(UTC) + timedelta(seconds=1)))
    assert made.heartbeat() == {"file": 1}
    assert set(files.sizes(run_archive.place_of(mine))) == {f"runs/{mine}/summary.json"}


def test_health_follows_its_figures(made: World, later: Later) -> None:
    at_first = made.api("GET", "/health").json
    assert (at_first["health"], at_first["figures"]["success_rate"]["status"]) == ("ok", "no_data")
    for _ in range(10):
        add(made)
    assert made.api("GET", "/health").json["health"] == "degraded"
    for exit_code in (0, 0, 0, 1):
        mine = started(made)
        later(20)
        complete(made, mine["id"], exit_code)
    made.heartbeat()
    shown = made.api("GET", "/health").json
    assert (shown["health"], shown["figures"]["success_rate"]["value"]) == ("unhealthy", 75.0)
    assert shown["queueLength"] == 6
    assert shown["stats"]["succeeded"] == 3
    assert shown["figures"]["mean_duration"]["value"] == 20
    assert shown["lastHeartbeat"] is not None
    later(86_400 + 3600)
    assert made.api("GET", "/health").json["figures"]["success_rate"]["status"] == "no_data"
    assert sum(hour["failed"] for hour in made.api("GET", "/metrics").json["hours"]) == 1


def test_a_recount_finds_nothing_or_mends_it(made: World) -> None:
    for _ in range(5):
        add(made)
    claim(made)
    assert made.api("POST", "/health/recount", {}).json == {
        "counted": {"inbox": 0, "todo": 4, "doing": 1, "blocked": 0},
        "drift": {},
    }
    made.table.write(Write(keys.count_of_states(made.owner, 3), adds={OPEN_COUNTS["todo"]: 7}))
    assert made.api("POST", "/health/recount", {}).json["drift"] == {"todo": 7}
    assert made.api("POST", "/health/recount", {}).json["drift"] == {}
    assert states(made) == {"todo": 4, "doing": 1}


def test_an_items_runs_are_in_the_list_and_tell_how_they_ended(made: World) -> None:
    item_id = made.capture()
    made.settle()
    add(made)
    mine = started(made)["id"]
    shown = made.api("GET", "/runs").json["runs"]
    assert [(r["id"] == mine, r["status"], r.get("item_id")) for r in shown] == [
        (True, "running", None),
        (False, "succeeded", item_id),
    ]
    whole = made.api("GET", f"/runs/{shown[1]['id']}").json
    assert (whole["run"]["intent"], whole["evidence"], whole["available_actions"]) == ("pipeline", [], [])
    assert made.api("GET", "/health").json["stats"]["succeeded"] == 0
    made.api("DELETE", f"/items/{item_id}")
    assert made.api("GET", f"/runs/{shown[1]['id']}").json["run"]["error_message"] == "Its item was deleted."
