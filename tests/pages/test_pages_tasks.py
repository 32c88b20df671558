"""The board and a task's own page, by forms alone: what is there, where it can go, and what a refusal says."""

from typing import Any

import pytest
from page_tasks import IN, added, ended, of, runs_of, state_of, taken

from readdo.do import actions
from readdo.store import tokens
from support.reader import Page, Reader
from support.world import World

BOARD = "/my/tasks"
# state → its buttons, the one that stands out first
BUTTONS = {
    "inbox": ["enqueue", "cancel"],
    "todo": ["claim", "block", "cancel"],
    "doing": ["complete", "block", "cancel"],
    "blocked": ["requeue", "cancel"],
    "done": [],
    "cancelled": [],
}
LEADS = [
    *[("inbox", "enqueue", "todo"), ("inbox", "cancel", "cancelled")],
    *[("todo", "claim", "doing"), ("todo", "block", "blocked"), ("todo", "cancel", "cancelled")],
    *[("doing", "complete", "done"), ("doing", "block", "blocked"), ("doing", "cancel", "cancelled")],
    *[("blocked", "requeue", "todo"), ("blocked", "cancel", "cancelled")],
]


def buttons_of(page: Page, task_id: str) -> list[str]:
    inside = f"{BOARD}/{task_id}/do/"
    return [str(form.get("action")).rsplit("/", 1)[-1] for form in page.tree.forms if inside in form.get("action", "")]


@pytest.mark.parametrize("state", IN)
def test_a_state_has_the_buttons_of_its_table(shared: World, reader: Reader, state: str) -> None:
    task_id = IN[state](shared)
    page = reader.look(f"{BOARD}/{task_id}")
    assert page.status == 200
    assert [name for name in buttons_of(page, task_id) if name != "report"] == BUTTONS[state]
    assert ("report" in buttons_of(page, task_id)) == ("complete" in BUTTONS[state])
    offered = {one["action"] for one in shared.api("GET", f"/tasks/{task_id}").json["available_actions"]}
    assert set(BUTTONS[state]) - {"complete"} == offered
    listed = reader.look(f"{BOARD}/list/{state}")
    assert buttons_of(listed, task_id) == BUTTONS[state]


@pytest.mark.parametrize(("state", "button", "then"), LEADS)
def test_a_button_does_what_it_says(shared: World, english: Reader, state: str, button: str, then: str) -> None:
    task_id = IN[state](shared)
    fields = {"reason": "The key is missing."} if button == "block" else {}
    page = english.send(english.look(f"{BOARD}/{task_id}").form(f"/do/{button}"), **fields)
    assert (page.status, page.words(".flash") != "") == (200, True)
    assert state_of(shared, task_id) == then
    assert page.path.startswith(f"{BOARD}/{task_id}?done=task_{button}")


def test_every_button_leads_to_the_column_that_it_names(shared: World, english: Reader) -> None:
    """What is dragged is dropped where one of these leads."""
    for state, button, then in LEADS:
        task_id = IN[state](shared)
        (found,) = english.look(f"{BOARD}/{task_id}").tree.cssselect(f'form[data-do="{button}"]')
        assert found.get("data-to") == then


def test_a_card_says_what_it_is_and_why_it_waits(shared: World, reader: Reader) -> None:
    task_id = added(shared, title="Fix <b>it</b>", priority="P0", project="reader", due_date="2026-01-02")
    shared.api("POST", f"/tasks/{task_id}/block", {"reason": "No <key> yet."})
    page = reader.look(BOARD)
    card = page.words(f"#task-{task_id}")
    for told in ("Fix <b>it</b>", "P0", "review", "reader", "2026-01-02", "No <key> yet."):
        assert told in card
    assert page.tree.cssselect(f'.column.blocked #task-{task_id}, .column.blocked .further a[href$="blocked"]')
    assert "<b>it</b>" not in page.text


def test_what_is_tried_again_says_when(shared: World, english: Reader) -> None:
    task_id = ended(shared, 7, error_kind="network", error_message="No answer from the host.")
    page = english.look(f"{BOARD}/{task_id}")
    assert "No answer from the host." in page.words(".waits")
    assert page.tree.cssselect(".waits time")[0].get("datetime") == of(shared, task_id)["next_try_at"]


def test_who_works_on_it_is_named(shared: World, english: Reader) -> None:
    task_id = taken(shared, worker="nightly <i>")
    assert "nightly <i>" in english.look(f"{BOARD}/list/doing").words(f"#task-{task_id}")
    mine = added(shared)
    page = english.send(english.look(f"{BOARD}/{mine}").form("/do/claim"))
    assert "Worked on by you" in page.words()


def test_whoever_takes_it_on_the_page_has_a_day_and_not_a_programs_five_minutes(shared: World, english: Reader) -> None:
    task_id = added(shared)
    english.send(english.look(f"{BOARD}/{task_id}").form("/do/claim"))
    (run,) = runs_of(shared, task_id)
    assert (run["worker"], run["status"]) == ("page", "running")
    assert run["lease_expires_at"][:10] > run["created_at"][:10]
    assert run["times_out_at"] > run["lease_expires_at"]


def test_a_column_is_a_stretch_with_a_page_of_its_own(shared: World, english: Reader) -> None:
    mine = {added(shared, title=f"One of many {n}", priority="P3") for n in range(35)}
    page = english.look(BOARD)
    assert len(page.tree.cssselect(".column.todo .task")) == 12
    page = english.look(page.link(f"{BOARD}/list/todo"))
    found: set[str] = set()
    for _ in range(20):
        found |= {card.get("id").removeprefix("task-") for card in page.tree.cssselect(".task")}
        further = [a.get("href") for a in page.tree.cssselect(".further a") if "cursor=" in a.get("href")]
        if not further:
            break
        page = english.look(further[0])
    assert mine <= found


def test_a_task_is_added_with_all_it_can_be_told(shared: World, reader: Reader) -> None:
    told = {"title": "写周报 <1>", "intent": "write", "priority": "P1", "project": "p", "due_date": "2026-12-24"}
    page = reader.send(reader.look(BOARD).form(BOARD), **told, payload='{"for": ["我"]}', hold="1")
    assert (page.status, page.words(".flash") != "") == (200, True)
    rows = shared.api("GET", "/tasks?status=inbox&priority=P1&limit=100").json["tasks"]
    made = next(row for row in rows if row["title"] == "写周报 <1>")
    whole = shared.api("GET", f"/tasks/{made['id']}").json["task"]
    assert {name: whole[name] for name in told} == told
    assert (whole["payload"], whole["status"]) == ({"for": ["我"]}, "inbox")
    shared.api("POST", f"/tasks/{made['id']}/cancel", {})


@pytest.mark.parametrize(
    "wrong",
    [
        {"payload": "{not json"},
        {"payload": "[1]"},
        {"payload": '{"a": NaN}'},
        {"payload": "[" * 100_000},
        {"payload": '{"a": "' + "x" * 64_000 + '"}'},
        {"intent": ""},
        {"intent": "no spaces <b>"},
        {"due_date": "tomorrow"},
        {"priority": "P9"},
        {"title": "x" * 301},
    ],
)
def test_what_cannot_be_added_comes_back_as_it_was_written(
    shared: World, reader: Reader, wrong: dict[str, str]
) -> None:
    before = shared.api("GET", "/health").json["stats"]
    fields = {"title": "Mine stays", "intent": "write", **wrong}
    page = reader.send(reader.look(BOARD).form(BOARD), **fields)
    assert page.status == 400
    assert page.tree.cssselect("details#adding[open] [role=alert]")
    form = page.form(BOARD)
    kept = {name: value for name, value in form.form_values() if name in fields and name not in ("priority", *wrong)}
    assert kept == {name: value for name, value in fields.items() if name in kept}
    assert "title" in kept or "title" in wrong
    for name in set(wrong) - {"priority", "title"}:
        assert (form.fields[name] or "") == wrong[name]
    assert shared.api("GET", "/health").json["stats"] == before


def test_a_button_that_came_too_late_says_why_and_changes_nothing(shared: World, english: Reader) -> None:
    task_id = added(shared)
    form = english.look(f"{BOARD}/{task_id}").form("/do/claim")
    shared.api("POST", f"/tasks/{task_id}/cancel", {})
    page = english.send(form)
    assert page.status == 409
    assert "The task is in the state “Cancelled”, so it was not taken." in page.words('[data-trouble] [role="alert"]')
    assert runs_of(shared, task_id) == []


def test_a_task_that_waits_for_another_says_so_when_it_is_taken(shared: World, english: Reader) -> None:
    first = added(shared, title="The first")
    second = added(shared, depends_on=[first])
    page = english.send(english.look(f"{BOARD}/{second}").form("/do/claim"))
    assert page.status == 409
    assert "(Waits for something else), so it was not taken" in page.words('[role="alert"]')
    page = english.look(f"{BOARD}/{second}")
    assert page.tree.cssselect(f'.needs a[href="{BOARD}/{first}"]')
    (regardless,) = [form for form in page.tree.forms if dict(form.form_values()).get("regardless") == "1"]
    page = english.send(regardless)
    english.send(page.form("/do/claim"))
    assert state_of(shared, second) == "doing"


def test_done_is_said_of_the_run_that_was_seen(shared: World, english: Reader) -> None:
    task_id = taken(shared)
    form = english.look(f"{BOARD}/{task_id}").form("/do/complete")
    seen = of(shared, task_id)["run_id"]
    shared.api("POST", f"/runs/{seen}/complete", {"exit_code": 130, "error_kind": "cancelled"})
    again = shared.api("POST", "/tasks/claim", {"worker": "another", "task": task_id}).json["run"]["id"]
    assert shared.api("POST", f"/runs/{again}/start", {}).status == 200
    assert english.send(form).status == 409
    assert (state_of(shared, task_id), of(shared, task_id)["worker"]) == ("doing", "another")


def test_what_was_taken_in_the_terminal_is_done_on_the_page(shared: World, english: Reader) -> None:
    task_id = added(shared)
    shared.api("POST", "/tasks/claim", {"worker": "me@laptop", "task": task_id})
    form = english.look(f"{BOARD}/{task_id}").form("/do/complete")
    assert english.send(form).status == 200
    assert english.send(form).status == 200, "a second press is the first"
    (run,) = runs_of(shared, task_id)
    assert (state_of(shared, task_id), run["status"], run["worker"]) == ("done", "succeeded", "me@laptop")


@pytest.mark.parametrize(
    ("failed", "state", "run_state", "told"),
    [({}, "done", "succeeded", "summary"), ({"failed": "1"}, "blocked", "failed", "error_message")],
)
def test_how_it_ended_is_said_in_words(
    shared: World, english: Reader, failed: dict[str, str], state: str, run_state: str, told: str
) -> None:
    task_id = taken(shared, "page")
    page = english.send(english.look(f"{BOARD}/{task_id}").form("/do/report"), how=" 他们同意了 <b>", **failed)
    (run,) = runs_of(shared, task_id)
    assert (page.status, state_of(shared, task_id), run["status"]) == (200, state, run_state)
    assert run[told] == "他们同意了 <b>"
    assert "他们同意了 <b>" in page.words(f"#run-{run['id']}")


@pytest.mark.parametrize("how", ["", "  ", "x" * 501])
def test_an_end_in_words_needs_words(shared: World, english: Reader, how: str) -> None:
    task_id = taken(shared)
    page = english.send(english.look(f"{BOARD}/{task_id}").form("/do/report"), how=how)
    assert (page.status, state_of(shared, task_id)) == (400, "doing")
    assert "What came of it" in page.words('[role="alert"]')


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_block_needs_a_reason(shared: World, reader: Reader, reason: str) -> None:
    task_id = added(shared)
    page = reader.send(reader.look(f"{BOARD}/{task_id}").form("/do/block"), reason=reason)
    assert (page.status, state_of(shared, task_id)) == (400, "todo")


def test_it_is_live_only_while_something_is_being_done(shared: World) -> None:
    alone = Reader(shared, token=tokens.issue(shared.table, "quiet", "quiet"))
    assert not alone.look(BOARD).tree.cssselect("[data-moving]")
    task_id = taken(shared)
    assert Reader(shared).look(BOARD).tree.cssselect("[data-moving]")
    page = Reader(shared).look(f"{BOARD}/{task_id}")
    assert page.tree.cssselect("[data-moving]")
    again = Reader(shared).ask("GET", f"{BOARD}/{task_id}", if_none_match=page.headers["etag"])
    assert (again.status, again.text) == (304, "")


def test_a_phone_shows_one_column_and_the_way_to_the_others(reader: Reader) -> None:
    page = reader.look(reader.look(BOARD).link(f"{BOARD}?state=blocked"))
    assert page.tree.cssselect(".board")[0].get("data-state") == "blocked"
    assert page.tree.cssselect('.states [aria-current="true"]')[0].get("href").endswith("state=blocked")
    assert reader.look(f"{BOARD}?state=<b>").tree.cssselect(".board")[0].get("data-state") == "todo"


@pytest.mark.parametrize(
    "path",
    [
        *(f"{BOARD}/nothing", f"{BOARD}/{'0' * 8}-0000-0000-0000-{'0' * 12}", f"{BOARD}/list/nothing"),
        *("/my/runs/nothing/evidence/1", f"/my/runs/{'0' * 26}/evidence/1"),
    ],
)
def test_what_is_not_there_is_told_in_words(reader: Reader, path: str) -> None:
    page = reader.look(path)
    assert (page.status, page.words("[role=alert]") != "") == (404, True)


def test_anothers_task_is_not_there(shared: World) -> None:
    task_id = added(shared)
    forms: list[Any] = list(Reader(shared).look(f"{BOARD}/{task_id}").tree.forms)
    stranger = Reader(shared, token=tokens.issue(shared.table, "another", "theirs"))
    assert stranger.look(f"{BOARD}/{task_id}").status == 404
    assert task_id not in stranger.look(BOARD).text
    moving = [form for form in forms if "/do/" in form.get("action", "")]
    assert len(moving) == 3
    for form in moving:
        assert stranger.send(form, reason="mine").status == 404
    assert state_of(shared, task_id) == "todo"


def test_a_token_that_only_reads_looks_and_changes_nothing(shared: World) -> None:
    task_id = added(shared)
    lesser = Reader(shared, token=tokens.issue(shared.table, shared.owner, "lesser", ["read"]))
    page = lesser.look(f"{BOARD}/{task_id}")
    assert page.status == 200
    assert lesser.send(page.form("/do/claim")).status == 403
    assert state_of(shared, task_id) == "todo"


def test_the_actions_of_the_page_are_those_of_the_tables() -> None:
    known = {action for action, _ in (*actions.OF_TASK.values(), *actions.OF_RUN.values())} | {actions.CLAIM}
    assert {button for _, button, _ in LEADS} <= known
