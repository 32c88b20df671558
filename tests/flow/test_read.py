"""From a capture to READY and back again, through the real workflow and the real rooms."""

from typing import Any

import pytest

from readdo import clock, files
from readdo.errors import StepFailed
from readdo.lifecycle.write import Write
from readdo.store import keys
from support.world import TEXT, World

SET = ("summary", "score", "todos", "card")
CHINESE = (
    "租约让两个工人不会做同一件事。工人把自己的名字和结束时间写到那一行上，只有这一行还空着，写入才会成功。"
    "工人死掉以后，租约到期，别人就可以接手。大家最容易忘记的是围栏令牌：之后的每一次写入都必须带上租约的编号，"
    "数据库必须拒绝旧的编号。我们比较了三种设计，跑了一万次模拟："
    "只检查状态放过了 404 次过期写入，检查编号一次也没有放过。"
)


def fail_once(error: Exception) -> Any:
    """Instead of a room: it fails the first time, then does its work."""
    left = [error]

    def instead(handler: Any, event: dict[str, Any]) -> Any:
        if left:
            raise left.pop()
        return handler(event)

    return instead


def always(error: Exception) -> Any:
    def instead(_handler: Any, _event: dict[str, Any]) -> Any:
        raise error

    return instead


def rewrite(made: World, item_id: str, **sets: Any) -> None:
    """Time passes: what the row says of it is moved."""
    made.table.write(Write(keys.item(made.owner, item_id), sets=sets))


def past() -> str:
    return clock.after(clock.now(), -1)


def runs_of(made: World, item_id: str) -> dict[str, str]:
    shown = made.api("GET", f"/items/{item_id}").json["artifacts"]
    return {kind: shown[kind]["meta"]["run_id"] for kind in SET if kind in shown}


def triggers(made: World, item_id: str) -> list[str]:
    shown = made.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    return [entry["trigger"] for entry in shown]


@pytest.mark.parametrize(
    ("content", "intent"), [(TEXT, "make our job queue safe"), (CHINESE, "想让任务队列不再被两个工人同时写")]
)
def test_a_pasted_text_becomes_ready_with_one_set_of_one_run(made: World, content: str, intent: str) -> None:
    item_id = made.capture(content=content, intent_text=intent)
    item = made.settled(item_id)
    assert item["status"] == "READY"
    assert set(runs_of(made, item_id)) == set(SET)
    assert set(runs_of(made, item_id).values()) == {item["served_run_id"]}
    assert item["priority"] in ("READ_NEXT", "WORTH_IT", "IF_TIME", "SKIP")
    assert triggers(made, item_id) == ["capture", "enqueue", "lease", "publish"]


def test_the_history_says_where_each_move_came_from(made: World) -> None:
    item_id = made.capture()
    made.settle()
    shown = made.api("GET", f"/items/{item_id}?include_history=true").json["history"]
    assert [(e["from"], e["to"]) for e in shown] == [
        (None, "CAPTURED"),
        ("CAPTURED", "QUEUED"),
        ("QUEUED", "PROCESSING"),
        ("PROCESSING", "READY"),
    ]


def test_the_workflow_carries_no_text(made: World) -> None:
    made.capture()
    made.settle()
    for _, event in made.invoked:
        assert set(event) <= {"owner", "item", "run", "epoch", "execution"}


def test_an_item_captured_for_later_rests(made: World) -> None:
    item_id = made.capture(process=False)
    made.heartbeat()
    assert made.settled(item_id)["status"] == "CAPTURED"
    made.api("POST", f"/items/{item_id}/process", {})
    assert made.settled(item_id)["status"] == "READY"


STEPS = {
    "extract": "FAILED_EXTRACTION",
    "summarize": "FAILED_AI",
    "score": "FAILED_AI",
    "todos": "FAILED_AI",
    "card": "FAILED_AI",
    "gate": "FAILED_AI",
}


@pytest.mark.parametrize(("step", "status"), STEPS.items())
def test_a_step_that_fails_names_itself_on_the_item(made: World, step: str, status: str) -> None:
    code = "EXTRACTION_PARSE_FAILED" if step == "extract" else "AI_PROVIDER_ERROR"
    made.instead[step] = always(StepFailed(code, "It did not work out.", retryable=False))
    item = made.settled(made.capture())
    assert item["status"] == status
    assert item["failure"]["failed_step"] == step
    assert (item["failure"]["error_code"], item["failure"]["message"]) == (code, "It did not work out.")
    assert item["failure"]["attempts"] == 1
    assert "next_retry_at" not in item["failure"]
    assert {e["status"] for e in made.executions()} == {"FAILED"}


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_crashes_fails_in_words(made: World, step: str) -> None:
    made.instead[step] = always(KeyError("oops"))
    item = made.settled(made.capture())
    assert item["status"] == STEPS[step]
    assert item["failure"]["failed_step"] == step
    assert item["failure"]["retryable"] is True
    assert f"'{step}' stopped unexpectedly" in item["failure"]["message"]


def test_a_user_retries_a_failure_and_it_is_forgotten(made: World) -> None:
    made.instead["summarize"] = fail_once(StepFailed("AI_PROVIDER_ERROR", "No answer."))
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "FAILED_AI"
    answer = made.api("POST", f"/items/{item_id}/process", {"mode": "RETRY"})
    assert (answer.status, answer.json["item"]["status"]) == (202, "QUEUED")
    item = made.settled(item_id)
    assert (item["status"], item["attempts"]) == ("READY", 0)
    assert "failure" not in item


def test_a_retryable_failure_comes_back_by_itself_when_it_is_due_and_not_before(made: World) -> None:
    made.instead["todos"] = fail_once(StepFailed("AI_RATE_LIMITED", "Too many requests."))
    item_id = made.capture()
    failure = made.settled(item_id)["failure"]
    assert failure["next_retry_at"] == clock.after(failure["last_attempt_at"], 30)
    made.heartbeat()
    assert made.settled(item_id)["status"] == "FAILED_AI"
    rewrite(made, item_id, due_at=past())
    assert made.heartbeat() == {"auto_retry": 1}
    assert made.settled(item_id)["status"] == "READY"


def test_auto_retries_are_counted_and_end(made: World) -> None:
    made.instead["todos"] = always(StepFailed("AI_RATE_LIMITED", "Too many requests."))
    item_id = made.capture()
    waits = []
    for _ in range(4):
        failure = made.settled(item_id)["failure"]
        waits.append(failure.get("next_retry_at") and _seconds(failure))
        rewrite(made, item_id, due_at=past())
        made.heartbeat()
    assert waits == [30, 60, 120, None]
    assert made.settled(item_id)["failure"]["attempts"] == 4


def _seconds(failure: dict[str, Any]) -> float:
    gap = clock.parse(failure["next_retry_at"]) - clock.parse(failure["last_attempt_at"])
    return gap.total_seconds()


def test_a_regenerate_makes_a_new_set_and_serves_the_old_one_meanwhile(made: World) -> None:
    item_id = made.capture()
    first = made.settled(item_id)["served_run_id"]
    seen: list[set[str]] = []

    def look(handler: Any, event: dict[str, Any]) -> Any:
        seen.append(set(runs_of(made, item_id).values()))
        return handler(event)

    made.instead["gate"] = look
    assert made.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"}).status == 202
    item = made.settled(item_id)
    assert seen == [{first}]
    assert item["served_run_id"] != first
    shown = made.api("GET", f"/items/{item_id}").json["artifacts"]
    assert {shown[kind]["version"] for kind in SET} == {2}


def test_a_failed_regenerate_keeps_the_good_set_and_it_can_be_kept(made: World) -> None:
    item_id = made.capture()
    before = made.settled(item_id)
    made.instead["card"] = always(StepFailed("AI_SCHEMA_INVALID", "No card.", retryable=False))
    made.api("POST", f"/items/{item_id}/process", {"mode": "REGENERATE"})
    failed = made.settled(item_id)
    assert failed["status"] == "FAILED_AI"
    for field in ("served_run_id", "priority", "match_score"):
        assert failed[field] == before[field]
    assert set(runs_of(made, item_id).values()) == {before["served_run_id"]}
    answer = made.api("POST", f"/items/{item_id}/keep")
    assert (answer.status, answer.json["item"]["status"]) == (200, "READY")
    assert "failure" not in made.item(item_id)


def test_an_item_archived_while_queued_is_left_alone_by_its_execution(made: World) -> None:
    def archive_first(handler: Any, event: dict[str, Any]) -> Any:
        assert made.api("POST", f"/items/{event['item']}/archive").status == 200
        return handler(event)

    made.instead["lease"] = archive_first
    item = made.settled(made.capture())
    assert (item["status"], item["archive_reason"]) == ("ARCHIVED", "USER_ARCHIVE")
    assert [room for room, _ in made.invoked] == ["lease"]
    assert {e["status"] for e in made.executions()} == {"SUCCEEDED"}


def test_a_dead_worker_frees_its_item_and_what_it_still_writes_is_refused(made: World) -> None:
    late: list[dict[str, Any]] = []

    def die(_handler: Any, event: dict[str, Any]) -> Any:
        late.append(event)
        rewrite(made, event["item"], lease_expires_at=past(), due_at=past())
        made.instead.pop("score")
        assert made.heartbeat() == {"reclaim": 1}
        raise KeyError("the worker is gone")

    made.instead["score"] = die
    item_id = made.capture()
    item = made.settled(item_id)
    assert item["status"] == "READY"
    assert item["run_id"] != late[0]["run"]
    assert triggers(made, item_id) == ["capture", "enqueue", "lease", "reclaim", "lease", "publish"]
    before = made.row(item_id)
    with pytest.raises(Exception, match="does not hold the lease"):
        made.invoke("score", late[0])
    assert made.row(item_id) == before


def test_a_third_dead_lease_is_a_failure_that_waits_for_the_user(made: World) -> None:
    def die(_handler: Any, event: dict[str, Any]) -> Any:
        rewrite(made, event["item"], lease_expires_at=past(), due_at=past())
        raise _Vanished

    made.instead["summarize"] = die
    made.instead["record_failure"] = die
    item_id = made.capture()
    for expected in ("reclaim", "reclaim", "give_up_ai"):
        made.settle()
        assert made.heartbeat() == {expected: 1}
    item = made.settled(item_id)
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("summarize", "LEASE_EXPIRED")
    assert item["failure"]["retryable"] is False


class _Vanished(Exception):
    pass


def test_every_step_delivered_twice_makes_one_artifact(made: World) -> None:
    def twice(handler: Any, event: dict[str, Any]) -> Any:
        assert handler(event) == handler(event)
        return handler(event)

    for room in ("lease", *STEPS):
        made.instead[room] = twice
    item_id = made.capture()
    assert made.settled(item_id)["status"] == "READY"
    row = made.row(item_id)
    assert row["lease_epoch"] == 1
    assert row["versions"] == {**dict.fromkeys((*SET, "extraction"), 1), "export": 0}


def test_a_missing_artifact_is_made_in_the_same_run(made: World) -> None:
    lost: list[str] = []

    def lose(handler: Any, event: dict[str, Any]) -> Any:
        if not lost:
            lost.append(event["run"])
            made.table.write(Write(keys.of_run(made.owner, event["item"], "todos", event["run"]), "delete"))
            made.table.write(Write(keys.item(made.owner, event["item"]), removes=("made.todos",)))
        return handler(event)

    made.instead["gate"] = lose
    item_id = made.capture()
    item = made.settled(item_id)
    assert (item["status"], item["served_run_id"]) == ("READY", lost[0])


def test_an_artifact_that_cannot_be_made_whole_is_never_ready(made: World) -> None:
    def spoil(handler: Any, event: dict[str, Any]) -> Any:
        place = keys.of_run(made.owner, event["item"], "card", event["run"])
        made.table.write(Write(place, sets={"payload": '{"headline": "no"}'}, removes=("payload_at",)))
        return handler(event)

    made.instead["gate"] = spoil
    item = made.settled(made.capture())
    assert item["status"] == "FAILED_AI"
    assert (item["failure"]["failed_step"], item["failure"]["error_code"]) == ("gate", "RUN_INCONSISTENT")


def test_a_capture_whose_start_was_lost_is_found(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as lost:
        lost.setenv("PROCESS_MACHINE_ARN", "arn:aws:states:eu-central-1:123456789012:stateMachine:gone")
        item_id = made.capture()
        assert made.settled(item_id)["status"] == "QUEUED"
    run = made.row(item_id)["run_id"]
    rewrite(made, item_id, due_at=past())
    assert made.heartbeat() == {"start_again": 1}
    item = made.settled(item_id)
    assert (item["status"], item["served_run_id"]) == ("READY", run)


def test_a_long_text_lies_outside_the_table(made: World) -> None:
    item_id = made.capture(content=CHINESE * 200)
    assert made.settled(item_id)["status"] == "READY"
    extraction = made.api("GET", f"/items/{item_id}").json["artifacts"]["extraction"]
    row = made.table.get(keys.of_run(made.owner, item_id, "extraction", extraction["meta"]["run_id"]))
    assert row is not None
    assert "payload" not in row
    assert extraction["payload"]["normalized_text"] in files.get(row["payload_at"]).decode()
