"""The board and the task page: tasks, their buttons and error messages."""

from typing import Any

import pytest

from readdo.do import actions
from readdo.store import tokens
from support.page_tasks import TASK_BUILDERS, add_task, complete_task, get_task, runs_of, start_task, state_of
from support.reader import Page, Reader
from support.world import World

BOARD = "/my/tasks"
# state → its buttons, the main button first
BUTTONS = {
    "inbox": ["enqueue", "cancel"],
    "todo": ["claim", "block", "cancel"],
    "doing": ["complete", "block", "cancel"],
    "blocked": ["requeue", "cancel"],
    "done": [],
    "cancelled": [],
}
MOVES = [
    *[("inbox", "enqueue", "todo"), ("inbox", "cancel", "cancelled")],
    *[("todo", "claim", "doing"), ("todo", "block", "blocked"), ("todo", "cancel", "cancelled")],
    *[("doing", "complete", "done"), ("doing", "block", "blocked"), ("doing", "cancel", "cancelled")],
    *[("blocked", "requeue", "todo"), ("blocked", "cancel", "cancelled")],
]


def buttons_of(page: Page, task_id: str) -> list[str]:
    inside = f"{BOARD}/{task_id}/do/"
    return [str(form.get("action")).rsplit("/", 1)[-1] for form in page.tree.forms if inside in form.get("action", "")]


@pytest.mark.parametrize("state", TASK_BUILDERS)
def test_task_page_has_the_buttons_of_its_state(world: World, reader: Reader, state: str) -> None:
    task_id = TASK_BUILDERS[state](world)
    page = reader.look(f"{BOARD}/{task_id}")
    assert page.status == 200
    assert [name for name in buttons_of(page, task_id) if name != "report"] == BUTTONS[state]
    assert ("report" in buttons_of(page, task_id)) == ("complete" in BUTTONS[state])
    offered = {one["action"] for one in world.api("GET", f"/tasks/{task_id}").json["available_actions"]}
    assert set(BUTTONS[state]) - {"complete"} == offered
    listed = reader.look(f"{BOARD}/list/{state}")
    assert buttons_of(listed, task_id) == BUTTONS[state]


@pytest.mark.parametrize(("state", "button", "next_state"), MOVES)
def test_button_moves_to_its_next_state(
    world: World, english: Reader, state: str, button: str, next_state: str
) -> None:
    task_id = TASK_BUILDERS[state](world)
    fields = {"reason": "The key is missing."} if button == "block" else {}
    page = english.send(english.look(f"{BOARD}/{task_id}").form(f"/do/{button}"), **fields)
    assert (page.status, page.words(".flash") != "") == (200, True)
    assert state_of(world, task_id) == next_state
    assert page.path.startswith(f"{BOARD}/{task_id}?done=task_{button}")


def test_button_names_the_column_that_it_leads_to(world: World, english: Reader) -> None:
    """Dropping a card on a column sends the form that leads to that column."""
    for state, button, next_state in MOVES:
        task_id = TASK_BUILDERS[state](world)
        (form,) = english.look(f"{BOARD}/{task_id}").tree.cssselect(f'form[data-do="{button}"]')
        assert form.get("data-to") == next_state


def test_board_card_shows_its_fields_and_block_reason(world: World, reader: Reader) -> None:
    task_id = add_task(world, title="Fix <b>it</b>", priority="P0", project="reader", due_date="2026-01-02")
    world.api("POST", f"/tasks/{task_id}/block", {"reason": "No <key> yet."})
    page = reader.look(BOARD)
    card = page.words(f"#task-{task_id}")
    for text in ("Fix <b>it</b>", "P0", "review", "reader", "2026-01-02", "No <key> yet."):
        assert text in card
    assert page.tree.cssselect(f'.column.blocked #task-{task_id}, .column.blocked .further a[href$="blocked"]')
    assert "<b>it</b>" not in page.text


def test_retried_task_shows_its_next_attempt(world: World, english: Reader) -> None:
    task_id = complete_task(world, 7, error_kind="network", error_message="No answer from the host.")
    page = english.look(f"{BOARD}/{task_id}")
    assert "No answer from the host." in page.words(".waits")
    assert page.tree.cssselect(".waits time")[0].get("datetime") == get_task(world, task_id)["next_try_at"]


def test_task_shows_its_worker(world: World, english: Reader) -> None:
    task_id = start_task(world, worker="nightly <i>")
    assert "nightly <i>" in english.look(f"{BOARD}/list/doing").words(f"#task-{task_id}")
    mine = add_task(world)
    page = english.send(english.look(f"{BOARD}/{mine}").form("/do/claim"))
    assert "Assigned to you" in page.words()


def test_claim_on_the_page_has_a_lease_of_a_day(world: World, english: Reader) -> None:
    task_id = add_task(world)
    english.send(english.look(f"{BOARD}/{task_id}").form("/do/claim"))
    (run,) = runs_of(world, task_id)
    assert (run["worker"], run["status"]) == ("page", "running")
    assert run["lease_expires_at"][:10] > run["created_at"][:10]
    assert run["times_out_at"] > run["lease_expires_at"]


def test_column_is_limited_and_has_a_paginated_page(world: World, english: Reader) -> None:
    mine = {add_task(world, title=f"One of many {n}", priority="P3") for n in range(35)}
    page = english.look(BOARD)
    assert len(page.tree.cssselect(".column.todo .task")) == 12
    page = english.look(page.link(f"{BOARD}/list/todo"))
    ids_found: set[str] = set()
    for _ in range(20):
        ids_found |= {card.get("id").removeprefix("task-") for card in page.tree.cssselect(".task")}
        further = [a.get("href") for a in page.tree.cssselect(".further a") if "cursor=" in a.get("href")]
        if not further:
            break
        page = english.look(further[0])
    assert mine <= ids_found


def test_task_is_added_with_all_its_fields(world: World, reader: Reader) -> None:
    fields = {"title": "写周报 <1>", "intent": "write", "priority": "P1", "project": "p", "due_date": "2026-12-24"}
    page = reader.send(reader.look(BOARD).form(BOARD), **fields, payload='{"for": ["我"]}', hold="1")
    assert (page.status, page.words(".flash") != "") == (200, True)
    rows = world.api("GET", "/tasks?status=inbox&priority=P1&limit=100").json["tasks"]
    row_added = next(row for row in rows if row["title"] == "写周报 <1>")
    detail = world.api("GET", f"/tasks/{row_added['id']}").json["task"]
    assert {name: detail[name] for name in fields} == fields
    assert (detail["payload"], detail["status"]) == ({"for": ["我"]}, "inbox")
    world.api("POST", f"/tasks/{row_added['id']}/cancel", {})


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
def test_invalid_task_keeps_the_form_values(world: World, reader: Reader, wrong: dict[str, str]) -> None:
    before = world.api("GET", "/health").json["stats"]
    fields = {"title": "Mine stays", "intent": "write", **wrong}
    page = reader.send(reader.look(BOARD).form(BOARD), **fields)
    assert page.status == 400
    assert page.tree.cssselect("details#adding[open] [role=alert]")
    form = page.form(BOARD)
    kept_fields = {
        name: value for name, value in form.form_values() if name in fields and name not in ("priority", *wrong)
    }
    assert kept_fields == {name: value for name, value in fields.items() if name in kept_fields}
    assert "title" in kept_fields or "title" in wrong
    for name in set(wrong) - {"priority", "title"}:
        assert (form.fields[name] or "") == wrong[name]
    assert world.api("GET", "/health").json["stats"] == before


def test_late_task_button_shows_a_conflict_and_changes_nothing(world: World, english: Reader) -> None:
    task_id = add_task(world)
    form = english.look(f"{BOARD}/{task_id}").form("/do/claim")
    world.api("POST", f"/tasks/{task_id}/cancel", {})
    page = english.send(form)
    assert page.status == 409
    assert "This task is “Cancelled”, so it was not claimed." in page.words('[data-trouble] [role="alert"]')
    assert runs_of(world, task_id) == []


def test_claim_of_a_waiting_task_names_its_dependency(world: World, english: Reader) -> None:
    first = add_task(world, title="The first")
    second = add_task(world, depends_on=[first])
    page = english.send(english.look(f"{BOARD}/{second}").form("/do/claim"))
    assert page.status == 409
    assert "(Waiting for another task), so it was not claimed" in page.words('[role="alert"]')
    page = english.look(f"{BOARD}/{second}")
    assert page.tree.cssselect(f'.needs a[href="{BOARD}/{first}"]')
    (regardless,) = [form for form in page.tree.forms if dict(form.form_values()).get("regardless") == "1"]
    page = english.send(regardless)
    english.send(page.form("/do/claim"))
    assert state_of(world, second) == "doing"


def test_complete_applies_only_to_the_run_that_was_shown(world: World, english: Reader) -> None:
    task_id = start_task(world)
    form = english.look(f"{BOARD}/{task_id}").form("/do/complete")
    first_run = get_task(world, task_id)["run_id"]
    world.api("POST", f"/runs/{first_run}/complete", {"exit_code": 130, "error_kind": "cancelled"})
    second_run = world.api("POST", "/tasks/claim", {"worker": "another", "task": task_id}).json["run"]["id"]
    assert world.api("POST", f"/runs/{second_run}/start", {}).status == 200
    assert english.send(form).status == 409
    assert (state_of(world, task_id), get_task(world, task_id)["worker"]) == ("doing", "another")


def test_task_claimed_in_the_terminal_is_completed_on_the_page(world: World, english: Reader) -> None:
    task_id = add_task(world)
    world.api("POST", "/tasks/claim", {"worker": "me@laptop", "task": task_id})
    form = english.look(f"{BOARD}/{task_id}").form("/do/complete")
    assert english.send(form).status == 200
    assert english.send(form).status == 200, "a second press is the first"
    (run,) = runs_of(world, task_id)
    assert (state_of(world, task_id), run["status"], run["worker"]) == ("done", "succeeded", "me@laptop")


@pytest.mark.parametrize(
    ("failed", "state", "run_state", "text_field"),
    [({}, "done", "succeeded", "summary"), ({"failed": "1"}, "blocked", "failed", "error_message")],
)
def test_report_is_stored_as_summary_or_error(
    world: World, english: Reader, failed: dict[str, str], state: str, run_state: str, text_field: str
) -> None:
    task_id = start_task(world, "page")
    page = english.send(english.look(f"{BOARD}/{task_id}").form("/do/report"), how=" 他们同意了 <b>", **failed)
    (run,) = runs_of(world, task_id)
    assert (page.status, state_of(world, task_id), run["status"]) == (200, state, run_state)
    assert run[text_field] == "他们同意了 <b>"
    assert "他们同意了 <b>" in page.words(f"#run-{run['id']}")


@pytest.mark.parametrize("how", ["", "  ", "x" * 501])
def test_report_needs_a_text(world: World, english: Reader, how: str) -> None:
    task_id = start_task(world)
    page = english.send(english.look(f"{BOARD}/{task_id}").form("/do/report"), how=how)
    assert (page.status, state_of(world, task_id)) == (400, "doing")
    assert "Result" in page.words('[role="alert"]')


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_block_needs_a_reason(world: World, reader: Reader, reason: str) -> None:
    task_id = add_task(world)
    page = reader.send(reader.look(f"{BOARD}/{task_id}").form("/do/block"), reason=reason)
    assert (page.status, state_of(world, task_id)) == (400, "todo")


def test_board_is_polled_only_while_a_task_is_in_progress(world: World) -> None:
    alone = Reader(world, token=tokens.issue(world.table, "quiet", "quiet"))
    assert not alone.look(BOARD).tree.cssselect("[data-moving]")
    task_id = start_task(world)
    assert Reader(world).look(BOARD).tree.cssselect("[data-moving]")
    page = Reader(world).look(f"{BOARD}/{task_id}")
    assert page.tree.cssselect("[data-moving]")
    again = Reader(world).ask("GET", f"{BOARD}/{task_id}", if_none_match=page.headers["etag"])
    assert (again.status, again.text) == (304, "")


def test_phone_board_shows_one_column_with_links_to_others(reader: Reader) -> None:
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
def test_unknown_task_or_run_gets_a_404_page(reader: Reader, path: str) -> None:
    page = reader.look(path)
    assert (page.status, page.words("[role=alert]") != "") == (404, True)


def test_task_of_another_owner_is_not_found(world: World) -> None:
    task_id = add_task(world)
    forms: list[Any] = list(Reader(world).look(f"{BOARD}/{task_id}").tree.forms)
    stranger = Reader(world, token=tokens.issue(world.table, "another", "theirs"))
    assert stranger.look(f"{BOARD}/{task_id}").status == 404
    assert task_id not in stranger.look(BOARD).text
    moving = [form for form in forms if "/do/" in form.get("action", "")]
    assert len(moving) == 3
    for form in moving:
        assert stranger.send(form, reason="mine").status == 404
    assert state_of(world, task_id) == "todo"


def test_read_token_cannot_change_a_task(world: World) -> None:
    task_id = add_task(world)
    lesser = Reader(world, token=tokens.issue(world.table, world.owner, "lesser", ["read"]))
    page = lesser.look(f"{BOARD}/{task_id}")
    assert page.status == 200
    assert lesser.send(page.form("/do/claim")).status == 403
    assert state_of(world, task_id) == "todo"


def test_page_actions_exist_in_the_task_tables() -> None:
    known_actions = {action for action, _ in (*actions.OF_TASK.values(), *actions.OF_RUN.values())} | {actions.CLAIM}
    assert {button for _, button, _ in MOVES} <= known_actions
