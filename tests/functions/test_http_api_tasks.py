"""http_api: tasks are added, claimed, completed, blocked and cancelled."""

import uuid

import pytest

from functions.desk import add, claim, complete, get_run, get_task, start_run
from readdo import clock
from readdo.do import task_claim
from support.world import World


def test_task_is_added_claimed_started_and_done(fresh: World) -> None:
    added = add(fresh, title="Run the checks", payload={"project": "readdo"}, priority="P0")
    assert added["status"] == "todo"
    claimed = claim(fresh, "laptop")
    assert claimed is not None
    assert (claimed["task"]["id"], claimed["task"]["status"], claimed["task"]["payload"]) == (
        added["id"],
        "doing",
        {"project": "readdo"},
    )
    run_started = fresh.api("POST", f"/runs/{claimed['run']['id']}/start", {}).json["run"]
    assert (run_started["status"], run_started["worker"], run_started["attempt"]) == ("running", "laptop", 1)
    done = complete(fresh, run_started["id"], summary="All is well.")
    assert (done["task"]["status"], done["run"]["status"]) == ("done", "succeeded")
    detail = fresh.api("GET", f"/tasks/{added['id']}").json
    assert [(m["trigger"], m["from"], m["to"]) for m in detail["history"]] == [
        ("add", None, "inbox"),
        ("enqueue", "inbox", "todo"),
        ("claim", "todo", "doing"),
        ("finish", "doing", "done"),
    ]
    assert [r["id"] for r in detail["runs"]] == [run_started["id"]]
    assert detail["available_actions"] == []
    assert claim(fresh) is None


def test_same_task_id_returns_the_first_task(fresh: World) -> None:
    name = str(uuid.uuid4())
    add(fresh, id=name, title="first")
    again = fresh.api("POST", "/tasks", {"intent": "fixBug", "id": name, "title": "second"})
    assert (again.status, again.json["task"]["title"], again.json["task"]["intent"]) == (200, "first", "runQA")


def test_task_key_is_idempotent_and_not_valid_for_another_body(fresh: World) -> None:
    first = fresh.api("POST", "/tasks", {"intent": "write"}, key="monday")
    again = fresh.api("POST", "/tasks", {"intent": "write"}, key="monday")
    other = fresh.api("POST", "/tasks", {"intent": "build"}, key="monday")
    assert (first.status, again.status, other.status) == (201, 200, 422)
    assert first.json["task"]["id"] == again.json["task"]["id"]
    assert len(fresh.api("GET", "/tasks").json["tasks"]) == 1


def test_repeated_claim_returns_the_same_run(fresh: World) -> None:
    add(fresh), add(fresh)
    first = fresh.api("POST", "/tasks/claim", {"worker": "w"}, key="tuesday")
    again = fresh.api("POST", "/tasks/claim", {"worker": "w"}, key="tuesday")
    assert first.json == again.json
    assert sorted(t["status"] for t in fresh.api("GET", "/tasks").json["tasks"]) == ["doing", "todo"]


def test_claim_takes_the_oldest_p0_first(fresh: World) -> None:
    names = [add(fresh, priority=priority)["id"] for priority in ("P3", "P1", "P0", "P1", "P0")]
    claims = [claim(fresh) for _ in names]
    assert [claimed["task"]["id"] for claimed in claims if claimed] == [names[n] for n in (2, 4, 1, 3, 0)]


def test_claim_takes_only_the_requested_intents(fresh: World) -> None:
    add(fresh, intent="write", priority="P0")
    mine = [add(fresh, intent=name)["id"] for name in ("review", "fixBug")]
    claims = [claim(fresh, intents=["fixBug", "review"]) for _ in range(3)]
    assert [claimed and claimed["task"]["id"] for claimed in claims] == [*mine, None]


def test_claim_takes_only_the_named_task(fresh: World) -> None:
    add(fresh, priority="P0")
    wanted_id = add(fresh, priority="P3")["id"]
    claimed = claim(fresh, task=wanted_id)
    assert claimed and claimed["task"]["id"] == wanted_id
    again = fresh.api("POST", "/tasks/claim", {"worker": "w", "task": wanted_id})
    assert (again.status, again.json["error"]["details"]["status"]) == (409, "doing")


def test_held_task_is_claimed_only_after_enqueue(fresh: World) -> None:
    held = add(fresh, hold=True)
    assert held["status"] == "inbox" and claim(fresh) is None
    assert fresh.api("POST", f"/tasks/{held['id']}/enqueue", {}).json["task"]["status"] == "todo"
    assert claim(fresh) is not None


@pytest.mark.parametrize(
    ("result", "of_run", "reason", "waits"),
    [
        ({"exit_code": 7, "error_kind": "network"}, "failed", "retry", 30),
        ({"exit_code": 124, "error_kind": "timeout"}, "timeout", "retry", 300),
        ({"exit_code": 3, "error_kind": "dependency"}, "failed", "dependency", 300),
        ({"exit_code": 1}, "failed", "failed", None),
        ({"exit_code": 130, "error_kind": "cancelled"}, "cancelled", "handed_back", 0),
    ],
)
def test_result_of_a_run_blocks_its_task_accordingly(
    fresh: World, result: dict[str, object], of_run: str, reason: str, waits: int | None
) -> None:
    add(fresh)
    ended = complete(fresh, start_run(fresh)["id"], **result)  # type: ignore[arg-type]
    assert (ended["run"]["status"], ended["task"]["status"]) == (of_run, "blocked")
    assert ended["task"]["blocked_reason"] == reason
    assert ended["task"]["blocked_message"]
    at, then = ended["run"]["completed_at"], ended["task"].get("next_try_at")
    assert (clock.seconds_between(at, then) if then else None) == waits


def test_task_handed_back_can_be_claimed_at_once(fresh: World) -> None:
    name = add(fresh)["id"]
    complete(fresh, start_run(fresh)["id"], 130, error_kind="cancelled")
    claimed = claim(fresh)
    assert claimed and (claimed["task"]["id"], claimed["run"]["attempt"]) == (name, 2)


def test_task_waits_for_its_dependency(fresh: World) -> None:
    first = add(fresh, priority="P3")["id"]
    second = add(fresh, priority="P0", depends_on=[first])["id"]
    claimed = claim(fresh)
    assert claimed and claimed["task"]["id"] == first
    assert (get_task(fresh, second)["status"], get_task(fresh, second)["blocked_reason"]) == ("blocked", "dependency")
    fresh.api("POST", f"/runs/{claimed['run']['id']}/start", {})
    complete(fresh, claimed["run"]["id"])
    fresh.api("POST", f"/tasks/{second}/requeue", {})
    again = claim(fresh)
    assert again and again["task"]["id"] == second


def test_task_with_a_cancelled_dependency_waits_for_a_requeue(fresh: World) -> None:
    first = add(fresh)["id"]
    second = add(fresh, depends_on=[first, str(uuid.uuid4())])["id"]
    fresh.api("POST", f"/tasks/{first}/cancel", {})
    assert claim(fresh) is None
    blocked = get_task(fresh, second)
    assert (blocked["blocked_reason"], "next_try_at" in blocked) == ("dependency_cancelled", False)
    fresh.api("POST", f"/tasks/{second}/requeue", {"regardless": True})
    claimed = claim(fresh)
    assert claimed and claimed["task"]["id"] == second


def test_cancelled_task_cancels_its_run(fresh: World) -> None:
    name = add(fresh)["id"]
    run_id = start_run(fresh)["id"]
    assert fresh.api("POST", f"/tasks/{name}/cancel", {}).json["task"]["status"] == "cancelled"
    assert get_run(fresh, run_id)["status"] == "cancelled"
    late = fresh.api("POST", f"/runs/{run_id}/complete", {"exit_code": 0})
    assert late.status == 409
    assert "has ended" in late.json["error"]["message"]
    assert get_task(fresh, name)["status"] == "cancelled"


def test_history_of_a_task_has_a_limit(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_claim, "_MOVES_KEPT", 10)
    name = add(fresh)["id"]
    for _ in range(12):
        complete(fresh, start_run(fresh)["id"], 130, error_kind="cancelled")
    detail = fresh.api("GET", f"/tasks/{name}").json
    assert len(detail["history"]) <= 12
    assert (detail["history"][-1]["to"], detail["task"]["attempts"], len(detail["runs"])) == ("blocked", 12, 12)


def test_complete_is_idempotent(fresh: World) -> None:
    add(fresh)
    run_id = start_run(fresh)["id"]
    first, again = complete(fresh, run_id), complete(fresh, run_id)
    assert first["task"] == again["task"]
    assert {**first["run"], "version": 0} == {**again["run"], "version": 0}  # the summary was stored in between
    assert fresh.api("GET", "/health").json["stats"]["succeeded"] == 1
    assert fresh.api("POST", f"/runs/{run_id}/complete", {"exit_code": 1}).status == 409


def test_tasks_are_listed_in_order_and_in_pages(fresh: World) -> None:
    names = [add(fresh, priority=p, intent=i)["id"] for p, i in (("P1", "a"), ("P0", "b"), ("P1", "b"), ("P2", "a"))]
    claim(fresh)
    ids, cursor = [], ""
    for _ in range(5):
        page = fresh.api("GET", f"/tasks?limit=1{cursor}").json
        ids += [t["id"] for t in page["tasks"]]
        if not page["next_cursor"]:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert ids == [names[n] for n in (1, 0, 2, 3)]
    of_b = fresh.api("GET", "/tasks?intent=b&status=todo").json["tasks"]
    assert [t["id"] for t in of_b] == [names[2]]


def test_tasks_are_filtered_by_project_with_a_comma_in_its_name(fresh: World) -> None:
    mine = add(fresh, project="Read, then do")["id"]
    add(fresh, project="Read"), add(fresh, project="then do")
    tasks = fresh.api("GET", "/tasks?project=Read%2C%20then%20do").json["tasks"]
    assert [one["id"] for one in tasks] == [mine]
    assert len(fresh.api("GET", "/tasks?project=Read&project=then%20do").json["tasks"]) == 2


def test_accepted_todo_becomes_one_task_of_its_item(fresh: World) -> None:
    item_id = fresh.capture()
    fresh.settle()
    artifact = fresh.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]
    body = {"version": artifact["version"]}
    first = fresh.api("POST", f"/items/{item_id}/todos/1/accept", body)
    again = fresh.api("POST", f"/items/{item_id}/todos/1/accept", body)
    assert (first.status, again.status) == (201, 200)
    assert first.json["task"]["id"] == again.json["task"]["id"]
    todo = artifact["payload"]["todos"][0]
    assert (first.json["task"]["title"], first.json["task"]["intent"]) == (todo["title"], todo["type"].lower())
    claimed = claim(fresh)
    assert claimed and claimed["task"]["payload"]["item_id"] == item_id
    fresh.api("POST", f"/runs/{claimed['run']['id']}/start", {})
    before = fresh.api("GET", f"/items/{item_id}").json["tasks"]
    complete(fresh, claimed["run"]["id"])
    after = fresh.api("GET", f"/items/{item_id}").json["tasks"]
    assert (before["open"], before["all_done"], after["open"], after["all_done"]) == (1, False, 0, True)
    missing = fresh.api("POST", f"/items/{item_id}/todos/9/accept", body)
    count = len(artifact["payload"]["todos"])
    assert (missing.status, f"has {count}" in missing.json["error"]["message"]) == (404, True)
    assert fresh.api("POST", f"/items/{item_id}/todos/1/accept", {"version": 7}).status == 412


@pytest.mark.parametrize(
    ("intent", "payload", "field"),
    [
        ("runQA", {"project": ["租约"]}, "project"),
        ("fixBug", {"issue": {"number": 7}}, "issue"),
        ("review", {"files": ["a.py", 7]}, "files.1"),
        ("summarize", {"max_words": 0}, "max_words"),
        ("read", {"todo": "write it"}, "todo"),
    ],
)
def test_payload_of_a_known_intent_is_validated(
    world: World, intent: str, payload: dict[str, object], field: str
) -> None:
    answer = world.api("POST", "/tasks", {"intent": intent, "payload": payload})
    assert answer.status == 400
    assert f": {field} must be " in answer.json["error"]["message"]


@pytest.mark.parametrize("intent", ["runQA", "share", "runqa", "translate"])
def test_payload_fields_without_a_definition_are_accepted(world: World, intent: str) -> None:
    payload = {"project": "cecelia-quality", "another": [{"深": [1, None]}]}
    answer = world.api("POST", "/tasks", {"intent": intent, "payload": payload})
    assert answer.status == 201
    assert world.api("GET", f"/tasks/{answer.json['task']['id']}").json["task"]["payload"] == payload


def test_custom_intent_accepts_any_payload(world: World) -> None:
    assert world.api("POST", "/tasks", {"intent": "runQa2", "payload": {"project": ["any", 1]}}).status == 201
