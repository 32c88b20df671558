"""From capture to READY and back, on the real workflow and functions."""

from typing import Any

import pytest

from readdo import clock, files
from readdo.errors import StepFailed
from readdo.read import item_keys
from support.faults import SET, always, fail_once, past, runs_of, triggers, update_row
from support.world import TEXT, World

CHINESE = (
    "租约让两个工人不会做同一件事。工人把自己的名字和结束时间写到那一行上，只有这一行还空着，写入才会成功。"
    "工人死掉以后，租约到期，别人就可以接手。大家最容易忘记的是围栏令牌：之后的每一次写入都必须带上租约的编号，"
    "数据库必须拒绝旧的编号。我们比较了三种设计，跑了一万次模拟："
    "只检查状态放过了 404 次过期写入，检查编号一次也没有放过。"
)


@pytest.mark.parametrize(
    ("content", "intent"), [(TEXT, "make our job queue safe"), (CHINESE, "想让任务队列不再被两个工人同时写")]
)
def test_pasted_text_becomes_ready_with_artifacts_of_one_run(fresh: World, content: str, intent: str) -> None:
    item_id = fresh.capture(content=content, intent_text=intent)
    item = fresh.settled(item_id)
    assert item["status"] == "READY"
    assert set(runs_of(fresh, item_id)) == set(SET)
    assert set(runs_of(fresh, item_id).values()) == {item["served_run_id"]}
    assert item["priority"] in ("READ_NEXT", "WORTH_IT", "IF_TIME", "SKIP")
    assert triggers(fresh, item_id) == ["capture", "enqueue", "lease", "publish"]


def test_history_holds_both_states_of_each_move(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    history = fresh.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    assert [(e["from"], e["to"]) for e in history] == [
        (None, "CAPTURED"),
        ("CAPTURED", "QUEUED"),
        ("QUEUED", "PROCESSING"),
        ("PROCESSING", "READY"),
    ]


def test_workflow_events_hold_no_text(fresh: World) -> None:
    fresh.capture()
    fresh.settle()
    for _, event in fresh.invoked:
        assert set(event) <= {"owner", "item", "run", "epoch", "execution"}


def test_item_captured_without_processing_rests(fresh: World) -> None:
    item_id = fresh.capture(process=False)
    fresh.heartbeat()
    assert fresh.settled(item_id)["status"] == "CAPTURED"
    fresh.api("POST", f"/items/{item_id}/process", {})
    assert fresh.settled(item_id)["status"] == "READY"


STEPS = {
    "extract": "FAILED_EXTRACTION",
    "summarize": "FAILED_AI",
    "score": "FAILED_AI",
    "todos": "FAILED_AI",
    "card": "FAILED_AI",
    "gate": "FAILED_AI",
}


@pytest.mark.parametrize(("step", "status"), STEPS.items())
def test_failed_step_is_named_on_the_item(fresh: World, step: str, status: str) -> None:
    code = "EXTRACTION_PARSE_FAILED" if step == "extract" else "AI_PROVIDER_ERROR"
    fresh.instead[step] = always(StepFailed(code, "It did not work out.", retryable=False))
    item = fresh.settled(fresh.capture())
    assert item["status"] == status
    assert item["failure"]["failed_step"] == step
    assert (item["failure"]["error_code"], item["failure"]["message"]) == (code, "It did not work out.")
    assert item["failure"]["attempts"] == 1
    assert "next_retry_at" not in item["failure"]
    assert {e["status"] for e in fresh.executions()} == {"FAILED"}


@pytest.mark.parametrize("step", STEPS)
def test_crashed_step_fails_with_a_message(fresh: World, step: str) -> None:
    fresh.instead[step] = always(KeyError("oops"))
    item = fresh.settled(fresh.capture())
    assert item["status"] == STEPS[step]
    assert item["failure"]["failed_step"] == step
    assert item["failure"]["retryable"] is True
    assert item["failure"]["message_key"] == "run.step_failed"


def test_user_retry_clears_the_failure(fresh: World) -> None:
    fresh.instead["summarize"] = fail_once(StepFailed("AI_PROVIDER_ERROR", "No answer."))
    item_id = fresh.capture()
    assert fresh.settled(item_id)["status"] == "FAILED_AI"
    answer = fresh.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert (answer.status, answer.json["item"]["status"]) == (202, "QUEUED")
    item = fresh.settled(item_id)
    assert (item["status"], item["attempts"]) == ("READY", 0)
    assert "failure" not in item


def test_retryable_failure_is_retried_when_due(fresh: World) -> None:
    fresh.instead["todos"] = fail_once(StepFailed("AI_RATE_LIMITED", "Too many requests."))
    item_id = fresh.capture()
    failure = fresh.settled(item_id)["failure"]
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)
    fresh.heartbeat()
    assert fresh.settled(item_id)["status"] == "FAILED_AI"
    update_row(fresh, item_id, due_at=past())
    assert fresh.heartbeat() == {"auto_retry": 1}
    assert fresh.settled(item_id)["status"] == "READY"


def test_automatic_retries_are_limited(fresh: World) -> None:
    fresh.instead["todos"] = always(StepFailed("AI_RATE_LIMITED", "Too many requests."))
    item_id = fresh.capture()
    waits = []
    for _ in range(4):
        failure = fresh.settled(item_id)["failure"]
        waits.append(failure.get("next_retry_at") and _seconds(failure))
        update_row(fresh, item_id, due_at=past())
        fresh.heartbeat()
    assert waits == [30, 60, 120, None]
    assert fresh.settled(item_id)["failure"]["attempts"] == 4


def _seconds(failure: dict[str, Any]) -> float:
    gap = clock.parse(failure["next_retry_at"]) - clock.parse(failure["last_attempt_at"])
    return gap.total_seconds()


def test_regenerate_serves_the_old_set_until_the_new_one_is_complete(fresh: World) -> None:
    item_id = fresh.capture()
    first = fresh.settled(item_id)["served_run_id"]
    served_runs: list[set[str]] = []

    def note_served_run(handler: Any, event: dict[str, Any]) -> Any:
        served_runs.append(set(runs_of(fresh, item_id).values()))
        return handler(event)

    fresh.instead["gate"] = note_served_run
    assert fresh.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}).status == 202
    item = fresh.settled(item_id)
    assert served_runs == [{first}]
    assert item["served_run_id"] != first
    artifacts = fresh.api("GET", f"/items/{item_id}").json["artifacts"]
    assert {artifacts[kind]["version"] for kind in SET} == {2}


def test_failed_regenerate_keeps_the_served_set(fresh: World) -> None:
    item_id = fresh.capture()
    before = fresh.settled(item_id)
    fresh.instead["card"] = always(StepFailed("AI_SCHEMA_INVALID", "No card.", retryable=False))
    fresh.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    failed = fresh.settled(item_id)
    assert failed["status"] == "FAILED_AI"
    for field in ("served_run_id", "priority", "match_score"):
        assert failed[field] == before[field]
    assert set(runs_of(fresh, item_id).values()) == {before["served_run_id"]}
    answer = fresh.api("POST", f"/items/{item_id}/keep")
    assert (answer.status, answer.json["item"]["status"]) == (200, "READY")
    assert "failure" not in fresh.item(item_id)


def test_execution_ignores_an_item_archived_while_queued(fresh: World) -> None:
    def archive_first(handler: Any, event: dict[str, Any]) -> Any:
        assert fresh.api("POST", f"/items/{event['item']}/archive").status == 200
        return handler(event)

    fresh.instead["lease"] = archive_first
    item = fresh.settled(fresh.capture())
    assert (item["status"], item["archive_reason"]) == ("ARCHIVED", "USER_ARCHIVE")
    assert [name for name, _ in fresh.invoked] == ["lease"]
    assert {e["status"] for e in fresh.executions()} == {"SUCCEEDED"}


def test_long_text_is_stored_in_the_bucket(fresh: World) -> None:
    item_id = fresh.capture(content=CHINESE * 200)
    assert fresh.settled(item_id)["status"] == "READY"
    extraction = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["extraction"]
    row = fresh.table.get(item_keys.run_artifact(fresh.owner, item_id, "extraction", extraction["meta"]["run_id"]))
    assert row is not None
    assert "payload" not in row
    assert extraction["payload"]["normalized_text"] in files.get(row["payload_at"]).decode()


@pytest.mark.parametrize(
    ("policy", "intent", "status"),
    [
        ("on", "learn to bake sourdough bread at home", "ARCHIVED"),
        ("off", "learn to bake sourdough bread at home", "READY"),
        ("on", "leases, fencing tokens and stale writes of a worker", "READY"),
    ],
)
def test_skip_policy_archives_skip_items(
    fresh: World, monkeypatch: pytest.MonkeyPatch, policy: str, intent: str, status: str
) -> None:
    monkeypatch.setenv("SKIP_POLICY", policy)
    item_id = fresh.capture(intent_text=intent)
    item = fresh.settled(item_id)
    assert item["status"] == status
    assert item.get("archive_reason") == ("SYSTEM_SKIP" if status == "ARCHIVED" else None)
    assert (item["priority"] == "SKIP") == ("bread" in intent)
    if status == "ARCHIVED":
        assert fresh.api("POST", f"/items/{item_id}/unarchive").json["item"]["status"] == "READY"


def test_late_gate_event_does_not_archive_an_unarchived_item(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_POLICY", "on")
    item_id = fresh.capture(intent_text="天气预报里的台风路径")
    assert fresh.settled(item_id)["archive_reason"] == "SYSTEM_SKIP"
    assert fresh.api("POST", f"/items/{item_id}/unarchive").status == 200
    late = next(event for name, event in fresh.invoked if name == "gate")
    fresh.invoke("gate", late)
    assert fresh.item(item_id)["status"] == "READY"
