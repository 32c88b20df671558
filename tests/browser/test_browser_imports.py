"""Imports in a real browser: a small file through the page, a large one straight to the bucket."""

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from browser.visitor import PATIENCE, Site, picture

expect.set_options(timeout=PATIENCE)
HEAD = "title,url,time_added,tags,status\n"
TOO_LARGE_FOR_THE_PAGE = 4_500_000


def pocket(lines: int, title_part: str, place: str) -> bytes:
    """Return a file as Pocket exports it; `kept` is a part of each title.

    All lines are archived, so that none is processed.
    """
    rows = (
        f"第{n}篇 leases {title_part},https://example.org/{place}/{n},{1_600_000_000 + n},工作|queue,archive\n"
        for n in range(lines)
    )
    return (HEAD + "".join(rows) + "no link here,,1600000000,,unread\n").encode()


@pytest.mark.parametrize(
    ("name", "body"),
    [("small", pocket(12, "", "small")), ("large", pocket(60, "x" * 80_000, "large"))],
    ids=["through the page", "straight to the bucket"],
)
def test_file_is_imported_with_a_result_per_line(site: Site, browser: Browser, name: str, body: bytes) -> None:
    lines = body.count(b"\n") - 1
    assert (len(body) > TOO_LARGE_FOR_THE_PAGE) == (name == "large")
    with site.visit(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{site.url}/my/imports")
        page.set_input_files("input[type=file]", {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": body})
        page.locator("form:has(input[type=file]) button.main").click()
        expect(page.locator("h1")).to_have_text(f"{name}.csv")
        expect(page.locator("main")).to_contain_text(re.compile(rf"{lines:,} of {lines:,} lines"))
        picture(page, f"import-{name}")
        latest = site.ask("GET", "/imports")["imports"][0]
        assert (latest["status"], latest["counts"]["captured"], latest["counts"]["bad"]) == ("DONE", lines - 1, 1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    titles = [item["title"] for item in site.ask("GET", "/items?status=ARCHIVED&limit=100")["items"]]
    assert sum(title.startswith("第") for title in titles) >= lines - 1


def test_upload_of_a_large_file_shows_progress(site: Site, browser: Browser) -> None:
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    with site.visit(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{site.url}/my/imports")
        page.route(lambda url: "/my/" not in url, hold)
        body = pocket(60, "x" * 80_000, "seen")
        page.set_input_files("input[type=file]", {"name": "seen.csv", "mimeType": "text/csv", "buffer": body})
        with page.expect_request(lambda request: request.method == "PUT"):
            page.locator("form:has(input[type=file]) button.main").click()
        bar = page.locator("form:has(input[type=file]) progress")
        expect(bar).to_be_visible()
        expect(page.locator("form:has(input[type=file])")).to_contain_text("Stay on this page")
        picture(page, "import-sending")
        routes[0].continue_()
        expect(page.locator("h1")).to_have_text("seen.csv")
