"""Do desk in a real browser: drag, keyboard, refusals, and every window size."""

from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.visitor import PATIENCE, WINDOWS, Site, picture, serious

expect.set_options(timeout=PATIENCE)


def add_task(site: Site, title: str, **more: Any) -> str:
    return str(site.ask("POST", "/tasks", {"intent": "review", "title": title, "priority": "P0", **more})["task"]["id"])


def state_of(site: Site, task_id: str) -> str:
    return str(site.ask("GET", f"/tasks/{task_id}")["task"]["status"])


def drag(page: Page, task_id: str, column: str) -> None:
    page.locator(f"#task-{task_id} h3").drag_to(page.locator(f".column.{column} h2"))


def test_card_is_dragged_only_to_allowed_columns(site: Site, browser: Browser) -> None:
    task_id = add_task(site, "Dragged by hand")
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{site.url}/my/tasks")
        drag(page, task_id, "done")
        expect(page.locator("#toast")).to_contain_text("from To do to Done")
        assert state_of(site, task_id) == "todo"
        drag_into(page, task_id, "doing")
        drag(page, task_id, "blocked")
        page.locator(f"#task-{task_id} [name=reason]").fill("No key yet.")
        page.keyboard.press("Enter")
        expect(page.locator(f".column.blocked #task-{task_id}:not(.going)")).to_contain_text("No key yet.")
        drag_into(page, task_id, "todo")
        assert state_of(site, task_id) == "todo"


def drag_into(page: Page, task_id: str, column: str) -> None:
    """Drag again if an update of the board moved the card before the press."""
    card = page.locator(f".column.{column} #task-{task_id}:not(.going)")
    for _ in range(3):
        drag(page, task_id, column)
        with suppress(AssertionError):
            expect(card).to_be_visible(timeout=PATIENCE / 6)
            return
    expect(card).to_be_visible()


def test_pressed_card_is_not_replaced_by_an_update(site: Site, browser: Browser) -> None:
    """A drag begins some pixels after the press, and ends if its card is replaced."""
    task_id = add_task(site, "Pressed for long")
    update = "async () => { tag = ''; looks = 0; await look(); return pressed.isConnected; }"
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{site.url}/my/tasks")
        page.wait_for_load_state("load")
        page.evaluate(f"window.pressed = document.getElementById('task-{task_id}')")
        card = page.locator(f"#task-{task_id}")
        card.dispatch_event("pointerdown")
        assert page.evaluate(update) is True
        card.dispatch_event("pointerup")
        assert page.evaluate(update) is False


def test_refused_drop_returns_the_card_and_shows_why(site: Site, browser: Browser) -> None:
    task_id = add_task(site, "Too late")
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{site.url}/my/tasks")
        page.route("**/do/claim", _abort)
        with page.expect_response(lambda answer: answer.request.method == "GET"):  # the page reloads the board
            drag(page, task_id, "doing")
        expect(page.locator("#toast")).not_to_be_empty()
        expect(page.locator(f".column.todo #task-{task_id}")).to_be_visible()
        page.unroute("**/do/claim")
        site.ask("POST", f"/tasks/{task_id}/cancel", {})
        drag(page, task_id, "doing")
        expect(page.locator("#toast")).to_contain_text("Cancelled")
        expect(page.locator(f"#task-{task_id}")).to_have_count(0)


def _abort(route: Route) -> None:
    route.abort("connectionrefused")


def test_keyboard_claims_and_completes_a_task(site: Site, browser: Browser) -> None:
    task_id = add_task(site, "By keys alone")
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.keyboard.press("t")
        page.locator(f"#open-{task_id}").focus()
        page.wait_for_load_state("load")  # before that the page handles no key
        page.keyboard.press("3")
        expect(page.locator(f".column.doing #open-{task_id}")).to_be_focused()
        page.keyboard.press("5")
        expect(page.locator(f".column.done #task-{task_id}:not(.going)")).to_be_visible()
        assert state_of(site, task_id) == "done"


@pytest.mark.parametrize("scripts", [True, False])
def test_user_reports_a_failure_with_a_reason(site: Site, browser: Browser, scripts: bool) -> None:
    task_id = add_task(site, "Taken in the terminal")
    site.ask("POST", "/tasks/claim", {"worker": "me@laptop", "task": task_id})
    with site.visit(browser, viewport={"width": 1440, "height": 900}, java_script_enabled=scripts) as page:
        page.goto(f"{site.url}/my/tasks/{task_id}")
        page.get_by_text("Report the result").click()
        page.get_by_label("What is the result, or why did it fail?").fill("缺一个密钥")
        page.get_by_role("button", name="Mark as failed").click()
        expect(page.locator(".waits")).to_contain_text("缺一个密钥")
        assert state_of(site, task_id) == "blocked"


@pytest.fixture(scope="session")  # a worker may visit this module twice
def busy(site: Site) -> list[str]:
    """Fill every column and return the two tasks with the most details."""
    first = add_task(site, "给自动化客服写一份验收清单", priority="P1", project="客服", due_date="2026-01-31")
    after = {"depends_on": [first], "payload": {"branch": "main", "files": ["a.py", "b.py"] * 5}, "tags": ["qa"]}
    second = add_task(site, "Check that the fencing token is carried by every later write of the worker", **after)
    site.ask("POST", "/tasks/claim", {"worker": "nightly", "task": second})
    add_task(site, "Held back for now", hold=True, priority="P3")
    for code in (0, 0, 1, 0):
        name = add_task(site, f"Ran and ended with {code}", intent="runQA")
        run = site.ask("POST", "/tasks/claim", {"worker": "ci-runner-7", "task": name})["run"]["id"]
        site.ask("POST", f"/runs/{run}/start", {})
        site.ask("POST", f"/runs/{run}/complete", {"exit_code": code, "summary": "What was found stands in the log."})
    working = add_task(site, "Worked on now", intent="write")
    site.ask("POST", "/tasks/claim", {"worker": "ci-runner-7", "task": working})
    return [second, name]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_desk_fits_its_window_and_is_accessible(
    site: Site, browser: Browser, busy: list[str], window: str, theme: str, language: str
) -> None:
    width, height = WINDOWS[window]
    options = {"viewport": {"width": width, "height": height}, "color_scheme": theme, "locale": language}
    with site.visit(browser, **options) as page:
        paths = {"board": "/my/tasks", "blocked": "/my/tasks?state=blocked", "runs": "/my/runs", "health": "/my/health"}
        paths |= {"waits": f"/my/tasks/{busy[0]}", "done": f"/my/tasks/{busy[1]}", "list": "/my/tasks/list/done"}
        for name, path in paths.items():
            page.goto(site.url + path)
            picture(page, f"desk-{name}-{window}-{theme}-{language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert serious(page) == [], path
        page.goto(f"{site.url}/my/tasks")
        page.locator("#adding summary").click()
        picture(page, f"desk-adding-{window}-{theme}-{language}")
        assert serious(page) == []
