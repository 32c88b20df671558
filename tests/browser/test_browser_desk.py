"""The Do desk as people use it: dragged, moved by keys, refused, and read in every window."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from test_browser_visit import WINDOWS, serious
from visitor import PATIENCE, Site, picture

expect.set_options(timeout=PATIENCE)


def added(site: Site, title: str, **more: Any) -> str:
    return str(site.ask("POST", "/tasks", {"intent": "review", "title": title, "priority": "P0", **more})["task"]["id"])


def state_of(site: Site, task_id: str) -> str:
    return str(site.ask("GET", f"/tasks/{task_id}")["task"]["status"])


def drag(page: Page, task_id: str, column: str) -> None:
    page.locator(f"#task-{task_id} h3").drag_to(page.locator(f".column.{column} h2"))


def test_a_card_is_dragged_where_the_table_has_a_way_and_nowhere_else(site: Site, browser: Browser) -> None:
    task_id = added(site, "Dragged by hand")
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{site.url}/my/tasks")
        drag(page, task_id, "done")
        expect(page.locator("#toast")).to_contain_text("from To do to Done")
        assert state_of(site, task_id) == "todo"
        drag(page, task_id, "doing")
        expect(page.locator(f".column.doing #task-{task_id}:not(.going)")).to_be_visible()
        drag(page, task_id, "blocked")
        page.locator(f"#task-{task_id} [name=reason]").fill("No key yet.")
        page.keyboard.press("Enter")
        expect(page.locator(f".column.blocked #task-{task_id}:not(.going)")).to_contain_text("No key yet.")
        drag(page, task_id, "todo")
        expect(page.locator(f".column.todo #task-{task_id}:not(.going)")).to_be_visible()
        assert state_of(site, task_id) == "todo"


def test_a_drop_that_is_refused_goes_back_and_says_why(site: Site, browser: Browser) -> None:
    task_id = added(site, "Too late")
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.goto(f"{site.url}/my/tasks")
        page.route("**/do/claim", _unanswered)
        with page.expect_response(lambda answer: answer.request.method == "GET"):  # it looks how things are
            drag(page, task_id, "doing")
        expect(page.locator("#toast")).not_to_be_empty()
        expect(page.locator(f".column.todo #task-{task_id}")).to_be_visible()
        page.unroute("**/do/claim")
        site.ask("POST", f"/tasks/{task_id}/cancel", {})
        drag(page, task_id, "doing")
        expect(page.locator("#toast")).to_contain_text("Cancelled")
        expect(page.locator(f"#task-{task_id}")).to_have_count(0)


def _unanswered(route: Route) -> None:
    route.abort("connectionrefused")


def test_the_keyboard_alone_takes_a_task_and_does_it(site: Site, browser: Browser) -> None:
    task_id = added(site, "By keys alone")
    with site.visit(browser, viewport={"width": 1440, "height": 900}) as page:
        page.keyboard.press("t")
        page.locator(f"#open-{task_id}").focus()
        page.wait_for_load_state("load")  # before that no key is heard
        page.keyboard.press("3")
        expect(page.locator(f".column.doing #open-{task_id}")).to_be_focused()
        page.keyboard.press("5")
        expect(page.locator(f".column.done #task-{task_id}:not(.going)")).to_be_visible()
        assert state_of(site, task_id) == "done"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_person_says_that_it_failed_and_why(site: Site, browser: Browser, scripts: bool) -> None:
    task_id = added(site, "Taken in the terminal")
    site.ask("POST", "/tasks/claim", {"worker": "me@laptop", "task": task_id})
    with site.visit(browser, viewport={"width": 1440, "height": 900}, java_script_enabled=scripts) as page:
        page.goto(f"{site.url}/my/tasks/{task_id}")
        page.get_by_text("Say how it ended").click()
        page.get_by_label("What came of it, or why did it fail?").fill("缺一个密钥")
        page.get_by_role("button", name="It failed").click()
        expect(page.locator(".waits")).to_contain_text("缺一个密钥")
        assert state_of(site, task_id) == "blocked"


@pytest.fixture(scope="module")
def busy(site: Site) -> list[str]:
    """A desk with something in every column, and the task that has the most to show."""
    first = added(site, "给自动化客服写一份验收清单", priority="P1", project="客服", due_date="2026-01-31")
    after = {"depends_on": [first], "payload": {"branch": "main", "files": ["a.py", "b.py"] * 5}, "tags": ["qa"]}
    second = added(site, "Check that the fencing token is carried by every later write of the worker", **after)
    site.ask("POST", "/tasks/claim", {"worker": "nightly", "task": second})
    added(site, "Held back for now", hold=True, priority="P3")
    for code in (0, 0, 1, 0):
        name = added(site, f"Ran and ended with {code}", intent="runQA")
        run = site.ask("POST", "/tasks/claim", {"worker": "ci-runner-7", "task": name})["run"]["id"]
        site.ask("POST", f"/runs/{run}/start", {})
        site.ask("POST", f"/runs/{run}/complete", {"exit_code": code, "summary": "What was found stands in the log."})
    working = added(site, "Worked on now", intent="write")
    site.ask("POST", "/tasks/claim", {"worker": "ci-runner-7", "task": working})
    return [second, name]


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_desk_fits_its_window_and_can_be_read(
    site: Site, browser: Browser, busy: list[str], window: str, theme: str, language: str
) -> None:
    width, height = WINDOWS[window]
    how = {"viewport": {"width": width, "height": height}, "color_scheme": theme, "locale": language}
    with site.visit(browser, **how) as page:
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
