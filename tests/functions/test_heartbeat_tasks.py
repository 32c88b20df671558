"""heartbeat: tasks and runs. The tests move the clock that the product reads."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import requests

from functions.desk import add, claim, complete, get_run, get_task, start_run
from readdo import clock, files
from readdo.do import retention, task_rows
from readdo.do.task_rows import OPEN_COUNTS
from readdo.lifecycle.write import Write
from support.world import World

PassTime = Callable[[float], None]
FILE = b"412 checks\n"
LOG = {"type": "log", "name": "检查 qa.log", "content_type": "text/plain", "bytes": len(FILE)}


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> PassTime:
    """Let this many seconds pass."""
    ahead, now = 0.0, clock.now

    def advance(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds

    monkeypatch.setattr(clock, "now", lambda: clock.after(now(), ahead))
    return advance


def task_counts(world: World) -> dict[str, int]:
    return {name: count for name, count in world.api("GET", "/health").json["stats"].items() if count}


def test_silent_worker_loses_its_task(fresh: World, pass_time: PassTime) -> None:
    name = add(fresh)["id"]
    dead = start_run(fresh, lease_seconds=60)["id"]
    pass_time(61)
    assert fresh.heartbeat() == {"lapse": 1}
    assert (get_run(fresh, dead)["status"], get_run(fresh, dead)["error_kind"]) == ("cancelled", "cancelled")
    blocked = get_task(fresh, name)
    assert (blocked["status"], blocked["blocked_reason"]) == ("blocked", "lease_expired")
    again = claim(fresh)
    assert again and (again["task"]["id"], again["run"]["attempt"]) == (name, 2)
    late = fresh.api("POST", f"/runs/{dead}/complete", {"exit_code": 0})
    assert (late.status, get_task(fresh, name)["status"]) == (409, "doing")


def test_worker_that_sends_heartbeats_keeps_its_task(fresh: World, pass_time: PassTime) -> None:
    add(fresh, timeout_seconds=600)
    mine = start_run(fresh, lease_seconds=60)["id"]
    for _ in range(4):
        pass_time(40)
        assert fresh.api("POST", f"/runs/{mine}/heartbeat", {}).status == 200
        assert set(fresh.heartbeat()) <= {"look_later"}
    assert get_run(fresh, mine)["status"] == "running"


def test_run_past_its_timeout_ends_and_its_task_is_retried_once(fresh: World, pass_time: PassTime) -> None:
    name = add(fresh, timeout_seconds=100)["id"]
    for status in ("blocked", "blocked"):
        mine = start_run(fresh, lease_seconds=3600)["id"]
        pass_time(101)
        assert fresh.heartbeat()["overrun"] == 1
        assert (get_run(fresh, mine)["status"], get_task(fresh, name)["status"]) == ("timeout", status)
        pass_time(301)
        fresh.heartbeat()
    blocked = get_task(fresh, name)
    assert (blocked["status"], blocked["blocked_reason"], "next_try_at" in blocked) == ("blocked", "failed", False)


def test_network_failures_are_retried_after_30_60_and_120_seconds(fresh: World, pass_time: PassTime) -> None:
    name = add(fresh)["id"]
    waits = []
    for _ in range(4):
        mine = start_run(fresh)
        ended = complete(fresh, mine["id"], 7, error_kind="network")
        at, then = ended["run"]["completed_at"], ended["task"].get("next_try_at")
        waits.append(round(clock.seconds_between(at, then)) if then else None)
        if waits[-1]:
            pass_time(waits[-1] - 1)
            assert "lift" not in fresh.heartbeat()
            assert claim(fresh) is None
            pass_time(2)
            assert fresh.heartbeat()["lift"] == 1
    assert waits == [30, 60, 120, None]
    assert get_task(fresh, name)["blocked_reason"] == "failed"


def test_requeue_by_the_user_resets_the_retries(fresh: World, pass_time: PassTime) -> None:
    name = add(fresh, max_retries=1)["id"]
    for _ in range(2):
        complete(fresh, start_run(fresh)["id"], 1)
        pass_time(31)
        fresh.heartbeat()
    assert get_task(fresh, name)["blocked_reason"] == "failed"
    assert fresh.api("POST", f"/tasks/{name}/requeue", {}).json["task"]["status"] == "todo"
    assert complete(fresh, start_run(fresh)["id"], 1)["task"]["blocked_reason"] == "retry"


def test_task_is_unblocked_when_its_dependency_is_done(fresh: World, pass_time: PassTime) -> None:
    first = add(fresh, timeout_seconds=3600)["id"]
    second = add(fresh, priority="P0", depends_on=[first])["id"]
    mine = start_run(fresh, lease_seconds=3600)["id"]
    pass_time(301)
    assert fresh.heartbeat()["look_later"] >= 1
    assert get_task(fresh, second)["blocked_reason"] == "dependency"
    complete(fresh, mine)
    pass_time(301)
    assert fresh.heartbeat()["lift"] == 1
    assert get_task(fresh, second)["status"] == "todo"


def test_task_with_a_cancelled_dependency_waits_for_its_owner(fresh: World, pass_time: PassTime) -> None:
    first = add(fresh, hold=True)["id"]
    second = add(fresh, depends_on=[first])["id"]
    assert claim(fresh) is None
    fresh.api("POST", f"/tasks/{first}/cancel", {})
    pass_time(301)
    assert fresh.heartbeat() == {"stop_waiting": 1}
    assert get_task(fresh, second)["blocked_reason"] == "dependency_cancelled"


def test_heartbeat_enqueues_a_task_that_was_never_enqueued(fresh: World) -> None:
    held = add(fresh, hold=True)["id"]
    fresh.table.write(
        Write(task_rows.task_key(fresh.owner, held), sets={"due_shard": "1", "due_at": "2020-01-01T00:00:00.000Z"})
    )
    assert fresh.heartbeat() == {"enqueue": 1}
    assert get_task(fresh, held)["status"] == "todo"


def test_evidence_is_uploaded_listed_and_deleted_with_its_run(on_moto: World, pass_time: PassTime) -> None:
    add(on_moto)
    mine = start_run(on_moto)["id"]
    body = {**LOG, "sha256": hashlib.sha256(FILE).hexdigest()}
    announced = on_moto.api("POST", f"/runs/{mine}/evidence", body).json
    assert announced["evidence"]["stored"] is False
    upload = requests.put(announced["upload"]["url"], FILE, headers=announced["upload"]["headers"], timeout=10)
    assert upload.status_code == 200
    complete(on_moto, mine, summary="全部通过")
    (evidence,) = on_moto.api("GET", f"/runs/{mine}").json["evidence"]
    assert (evidence["name"], evidence["stored"], evidence["sha256"]) == (LOG["name"], True, body["sha256"])
    link = on_moto.api("GET", f"/runs/{mine}/evidence/1").headers["location"]
    assert requests.get(link, timeout=10).content == FILE
    summary = json.loads(files.get(f"runs/{mine}/summary.json"))
    assert (summary["status"], summary["summary"]) == ("succeeded", "全部通过")
    pass_time(31 * 86_400)
    assert on_moto.heartbeat()["bury"] == 2  # the run, and its task
    assert on_moto.api("GET", f"/runs/{mine}").status == 404
    assert files.sizes(retention.place_of(mine)) == {}
    assert on_moto.table.get(task_rows.evidence_key(on_moto.owner, mine, 1)) is None


@pytest.mark.parametrize(("exit_code", "days"), [(0, 30), (1, 14)])
def test_run_is_shown_until_its_retention_ends(fresh: World, pass_time: PassTime, exit_code: int, days: int) -> None:
    """The run is hidden when its retention ends, even before the heartbeat deletes it."""
    add(fresh)
    mine = start_run(fresh)["id"]
    complete(fresh, mine, exit_code)
    pass_time((days - 1) * 86_400)
    assert get_run(fresh, mine)["id"] == mine
    pass_time(86_500)
    assert fresh.api("GET", f"/runs/{mine}").status == 404
    assert fresh.api("GET", "/runs").json["runs"] == []


def test_cancelled_task_is_shown_for_a_week(fresh: World, pass_time: PassTime) -> None:
    name = add(fresh)["id"]
    fresh.api("POST", f"/tasks/{name}/cancel", {})
    pass_time(6 * 86_400)
    assert get_task(fresh, name)["status"] == "cancelled"
    pass_time(86_500)
    assert fresh.api("GET", f"/tasks/{name}").status == 404
    assert fresh.api("GET", "/tasks").json["tasks"] == []


def test_heartbeat_stores_a_run_summary_that_failed_to_be_stored(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add(fresh)
    mine = start_run(fresh)["id"]

    def broken(*_: Any) -> None:
        raise RuntimeError("the bucket did not answer")

    with monkeypatch.context() as patched:
        patched.setattr(retention, "file", broken)
        complete(fresh, mine)
    assert files.sizes(retention.place_of(mine)) == {}
    monkeypatch.setattr(clock, "now", lambda: clock.stamp(datetime.now(UTC) + timedelta(seconds=1)))
    assert fresh.heartbeat() == {"file": 1}
    assert set(files.sizes(retention.place_of(mine))) == {f"runs/{mine}/summary.json"}


def test_health_follows_its_figures_and_limits(fresh: World, pass_time: PassTime) -> None:
    at_first = fresh.api("GET", "/health").json
    assert (at_first["health"], at_first["figures"]["success_rate"]["status"]) == ("ok", "no_data")
    for _ in range(10):
        add(fresh)
    assert fresh.api("GET", "/health").json["health"] == "degraded"
    for exit_code in (0, 0, 0, 1):
        mine = start_run(fresh)
        pass_time(20)
        complete(fresh, mine["id"], exit_code)
    fresh.heartbeat()
    health = fresh.api("GET", "/health").json
    assert (health["health"], health["figures"]["success_rate"]["value"]) == ("unhealthy", 75.0)
    assert health["queueLength"] == 6
    assert health["stats"]["succeeded"] == 3
    assert health["figures"]["mean_duration"]["value"] == 20
    assert health["lastHeartbeat"] is not None
    pass_time(86_400 + 3600)
    assert fresh.api("GET", "/health").json["figures"]["success_rate"]["status"] == "no_data"
    assert sum(hour["failed"] for hour in fresh.api("GET", "/metrics").json["hours"]) == 1


def test_recount_repairs_drifted_counters(fresh: World) -> None:
    for _ in range(5):
        add(fresh)
    claim(fresh)
    assert fresh.api("POST", "/health/recount", {}).json == {
        "counted": {"inbox": 0, "todo": 4, "doing": 1, "blocked": 0},
        "drift": {},
    }
    fresh.table.write(Write(task_rows.count_of_states(fresh.owner, 3), adds={OPEN_COUNTS["todo"]: 7}))
    assert fresh.api("POST", "/health/recount", {}).json["drift"] == {"todo": 7}
    assert fresh.api("POST", "/health/recount", {}).json["drift"] == {}
    assert task_counts(fresh) == {"todo": 4, "doing": 1}


def test_runs_of_an_item_are_listed_with_their_result(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    add(fresh)
    mine = start_run(fresh)["id"]
    runs = fresh.api("GET", "/runs").json["runs"]
    assert [(r["id"] == mine, r["status"], r.get("item_id")) for r in runs] == [
        (True, "running", None),
        (False, "succeeded", item_id),
    ]
    detail = fresh.api("GET", f"/runs/{runs[1]['id']}").json
    assert (detail["run"]["intent"], detail["evidence"], detail["available_actions"]) == ("pipeline", [], [])
    assert fresh.api("GET", "/health").json["stats"]["succeeded"] == 0
    fresh.api("DELETE", f"/items/{item_id}")
    assert fresh.api("GET", f"/runs/{runs[1]['id']}").json["run"]["error_message_key"] == "task.item_deleted"
