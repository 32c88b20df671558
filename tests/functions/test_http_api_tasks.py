"""A task by the calls of the API: added, claimed, done, refused, blocked, and told in words."""

import uuid

import pytest
from desk import add, claim, complete, run, started, task

from readdo import clock
from readdo.do import task_claim
from support.world import World


def test_a_task_is_added_claimed_started_and_done(made: World) -> None:
    added = add(made, title="Run the checks", payload={"project": "readdo"}, priority="P0")
    assert added["status"] == "todo"
    found = claim(made, "laptop")
    assert found is not None
    assert (found["task"]["id"], found["task"]["status"], found["task"]["payload"]) == (
        added["id"],
        "doing",
        {"project": "readdo"},
    )
    began = made.api("POST", f"/runs/{found['run']['id']}/start", {}).json["run"]
    assert (began["status"], began["worker"], began["attempt"]) == ("running", "laptop", 1)
    done = complete(made, began["id"], summary="All is well.")
    assert (done["task"]["status"], done["run"]["status"]) == ("done", "succeeded")
    shown = made.api("GET", f"/tasks/{added['id']}").json
    assert [(m["trigger"], m["from"], m["to"]) for m in shown["history"]] == [
        ("add", None, "inbox"),
        ("enqueue", "inbox", "todo"),
        ("claim", "todo", "doing"),
        ("finish", "doing", "done"),
    ]
    assert [r["id"] for r in shown["runs"]] == [began["id"]]
    assert shown["available_actions"] == []
    assert claim(made) is None


def test_the_same_id_is_the_same_task_and_its_first_body_stands(made: World) -> None:
    name = str(uuid.uuid4())
    add(made, id=name, title="first")
    again = made.api("POST", "/tasks", {"intent": "fixBug", "id": name, "title": "second"})
    assert (again.status, again.json["task"]["title"], again.json["task"]["intent"]) == (200, "first", "runQA")


def test_the_same_key_is_the_same_task_and_another_body_is_refused(made: World) -> None:
    first = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    again = made.api("POST", "/tasks", {"intent": "write"}, key="monday")
    other = made.api("POST", "/tasks", {"intent": "build"}, key="monday")
    assert (first.status, again.status, other.status) == (201, 200, 422)
    assert first.json["task"]["id"] == again.json["task"]["id"]
    assert len(made.api("GET", "/tasks").json["tasks"]) == 1


def test_a_claim_that_is_sent_again_is_the_same_run(made: World) -> None:
    add(made), add(made)
    first = made.api("POST", "/tasks/claim", {"worker": "w"}, key="tuesday")
    again = made.api("POST", "/tasks/claim", {"worker": "w"}, key="tuesday")
    assert first.json == again.json
    assert sorted(t["status"] for t in made.api("GET", "/tasks").json["tasks"]) == ["doing", "todo"]


def test_p0_is_taken_first_and_then_the_oldest(made: World) -> None:
    names = [add(made, priority=priority)["id"] for priority in ("P3", "P1", "P0", "P1", "P0")]
    taken = [claim(made) for _ in names]
    assert [found["task"]["id"] for found in taken if found] == [names[n] for n in (2, 4, 1, 3, 0)]


def test_a_worker_takes_only_what_it_asks_for(made: World) -> None:
    add(made, intent="write", priority="P0")
    mine = [add(made, intent=name)["id"] for name in ("review", "fixBug")]
    taken = [claim(made, intents=["fixBug", "review"]) for _ in range(3)]
    assert [found and found["task"]["id"] for found in taken] == [*mine, None]


def test_a_named_task_is_taken_and_no_other(made: World) -> None:
    add(made, priority="P0")
    wanted = add(made, priority="P3")["id"]
    found = claim(made, task=wanted)
    assert found and found["task"]["id"] == wanted
    again = made.api("POST", "/tasks/claim", {"worker": "w", "task": wanted})
    assert (again.status, again.json["error"]["details"]["status"]) == (409, "doing")


def test_a_held_task_waits_until_it_is_enqueued(made: World) -> None:
    held = add(made, hold=True)
    assert held["status"] == "inbox" and claim(made) is None
    assert made.api("POST", f"/tasks/{held['id']}/enqueue", {}).json["task"]["status"] == "todo"
    assert claim(made) is not None


@pytest.mark.parametrize(
    ("said", "of_run", "reason", "waits"),
    [
        ({"exit_code": 7, "error_kind": "network"}, "failed", "retry", 30),
        ({"exit_code": 124, "error_kind": "timeout"}, "timeout", "retry", 300),
        ({"exit_code": 3, "error_kind": "dependency"}, "failed", "dependency", 300),
        ({"exit_code": 1}, "failed", "failed", None),
        ({"exit_code": 130, "error_kind": "cancelled"}, "cancelled", "handed_back", 0),
    ],
)
def test_how_a_run_ends_says_how_its_task_waits(
    made: World, said: dict[str, object], of_run: str, reason: str, waits: int | None
) -> None:
    add(made)
    ended = complete(made, started(made)["id"], **said)  # type: ignore[arg-type]
    assert (ended["run"]["status"], ended["task"]["status"]) == (of_run, "blocked")
    assert ended["task"]["blocked_reason"] == reason
    assert ended["task"]["blocked_message"]
    at, then = ended["run"]["completed_at"], ended["task"].get("next_try_at")
    assert (clock.seconds_between(at, then) if then else None) == waits


def test_what_a_worker_handed_back_can_be_taken_at_once(made: World) -> None:
    name = add(made)["id"]
    complete(made, started(made)["id"], 130, error_kind="cancelled")
    found = claim(made)
    assert found and (found["task"]["id"], found["run"]["attempt"]) == (name, 2)


def test_a_task_waits_for_what_it_depends_on(made: World) -> None:
    first = add(made, priority="P3")["id"]
    second = add(made, priority="P0", depends_on=[first])["id"]
    found = claim(made)
    assert found and found["task"]["id"] == first
    assert (task(made, second)["status"], task(made, second)["blocked_reason"]) == ("blocked", "dependency")
    made.api("POST", f"/runs/{found['run']['id']}/start", {})
    complete(made, found["run"]["id"])
    made.api("POST", f"/tasks/{second}/requeue", {})
    again = claim(made)
    assert again and again["task"]["id"] == second


def test_what_depends_on_a_cancelled_task_waits_for_its_owner(made: World) -> None:
    first = add(made)["id"]
    second = add(made, depends_on=[first, str(uuid.uuid4())])["id"]
    made.api("POST", f"/tasks/{first}/cancel", {})
    assert claim(made) is None
    shown = task(made, second)
    assert (shown["blocked_reason"], "next_try_at" in shown) == ("dependency_cancelled", False)
    made.api("POST", f"/tasks/{second}/requeue", {"regardless": True})
    found = claim(made)
    assert found and found["task"]["id"] == second


def test_cancelling_a_task_cancels_its_run(made: World) -> None:
    name = add(made)["id"]
    run_id = started(made)["id"]
    assert made.api("POST", f"/tasks/{name}/cancel", {}).json["task"]["status"] == "cancelled"
    assert run(made, run_id)["status"] == "cancelled"
    late = made.api("POST", f"/runs/{run_id}/complete", {"exit_code": 0})
    assert late.status == 409
    assert "has ended" in late.json["error"]["message"]
    assert task(made, name)["status"] == "cancelled"


def test_a_task_that_no_worker_ends_does_not_grow_for_ever(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_claim, "_MOVES_KEPT", 10)
    name = add(made)["id"]
    for _ in range(12):
        complete(made, started(made)["id"], 130, error_kind="cancelled")
    shown = made.api("GET", f"/tasks/{name}").json
    assert len(shown["history"]) <= 12
    assert (shown["history"][-1]["to"], shown["task"]["attempts"], len(shown["runs"])) == ("blocked", 12, 12)


def test_completing_twice_is_completing_once(made: World) -> None:
    add(made)
    run_id = started(made)["id"]
    first, again = complete(made, run_id), complete(made, run_id)
    assert first["task"] == again["task"]
    assert {**first["run"], "version": 0} == {**again["run"], "version": 0}  # its summary was filed in between
    assert made.api("GET", "/health").json["stats"]["succeeded"] == 1
    assert made.api("POST", f"/runs/{run_id}/complete", {"exit_code": 1}).status == 409


def test_a_list_is_in_order_and_comes_in_pages(made: World) -> None:
    names = [add(made, priority=p, intent=i)["id"] for p, i in (("P1", "a"), ("P0", "b"), ("P1", "b"), ("P2", "a"))]
    claim(made)
    seen, cursor = [], ""
    for _ in range(5):
        page = made.api("GET", f"/tasks?limit=1{cursor}").json
        seen += [t["id"] for t in page["tasks"]]
        if not page["next_cursor"]:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == [names[n] for n in (1, 0, 2, 3)]
    of_b = made.api("GET", "/tasks?intent=b&status=todo").json["tasks"]
    assert [t["id"] for t in of_b] == [names[2]]


def test_a_list_is_of_one_project_whatever_its_name(made: World) -> None:
    mine = add(made, project="Read, then do")["id"]
    add(made, project="Read"), add(made, project="then do")
    found = made.api("GET", "/tasks?project=Read%2C%20then%20do").json["tasks"]
    assert [one["id"] for one in found] == [mine]
    assert len(made.api("GET", "/tasks?project=Read&project=then%20do").json["tasks"]) == 2


def test_a_todo_becomes_a_task_once_and_its_item_knows_it(made: World) -> None:
    item_id = made.capture()
    made.settle()
    shown = made.api("GET", f"/items/{item_id}").json["artifacts"]["todos"]
    body = {"version": shown["version"]}
    first = made.api("POST", f"/items/{item_id}/todos/1/accept", body)
    again = made.api("POST", f"/items/{item_id}/todos/1/accept", body)
    assert (first.status, again.status) == (201, 200)
    assert first.json["task"]["id"] == again.json["task"]["id"]
    todo = shown["payload"]["todos"][0]
    assert (first.json["task"]["title"], first.json["task"]["intent"]) == (todo["title"], todo["type"].lower())
    found = claim(made)
    assert found and found["task"]["payload"]["item_id"] == item_id
    made.api("POST", f"/runs/{found['run']['id']}/start", {})
    before = made.api("GET", f"/items/{item_id}").json["tasks"]
    complete(made, found["run"]["id"])
    after = made.api("GET", f"/items/{item_id}").json["tasks"]
    assert (before["open"], before["all_done"], after["open"], after["all_done"]) == (1, False, 0, True)
    none = made.api("POST", f"/items/{item_id}/todos/9/accept", body)
    there = len(shown["payload"]["todos"])
    assert (none.status, f"{there} todos" in none.json["error"]["message"]) == (404, True)
    assert made.api("POST", f"/items/{item_id}/todos/1/accept", {"version": 7}).status == 412


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
def test_what_a_known_intent_names_has_a_type(
    shared: World, intent: str, payload: dict[str, object], field: str
) -> None:
    answer = shared.api("POST", "/tasks", {"intent": intent, "payload": payload})
    assert answer.status == 400
    assert f"its {field} " in answer.json["error"]["message"]


@pytest.mark.parametrize("intent", ["runQA", "share", "runqa", "translate"])
def test_what_nobody_named_is_the_workers_business(shared: World, intent: str) -> None:
    payload = {"project": "cecelia-quality", "another": [{"深": [1, None]}]}
    answer = shared.api("POST", "/tasks", {"intent": intent, "payload": payload})
    assert answer.status == 201
    assert shared.api("GET", f"/tasks/{answer.json['task']['id']}").json["task"]["payload"] == payload


def test_an_intent_of_ones_own_takes_any_object(shared: World) -> None:
    assert shared.api("POST", "/tasks", {"intent": "runQa2", "payload": {"project": ["any", 1]}}).status == 201
