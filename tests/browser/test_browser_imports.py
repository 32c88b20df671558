"""What was saved elsewhere is brought in: by a small file through the page, by a large one straight to the bucket."""

import re

import pytest
from playwright.sync_api import Browser, Route, expect
from visitor import PATIENCE, Site, picture

expect.set_options(timeout=PATIENCE)
HEAD = "title,url,time_added,tags,status\n"
TOO_LARGE_FOR_THE_PAGE = 4_500_000


def pocket(lines: int, kept: str, place: str) -> bytes:
    """As Pocket exports it; `kept`: what stands in each title. All were read there, so that none is read again."""
    rows = (
        f"第{n}篇 leases {kept},https://example.org/{place}/{n},{1_600_000_000 + n},工作|queue,archive\n"
        for n in range(lines)
    )
    return (HEAD + "".join(rows) + "no link here,,1600000000,,unread\n").encode()


@pytest.mark.parametrize(
    ("name", "body"),
    [("small", pocket(12, "", "small")), ("large", pocket(60, "x" * 80_000, "large"))],
    ids=["through the page", "straight to the bucket"],
)
def test_a_file_is_brought_in_and_told_line_by_line(site: Site, browser: Browser, name: str, body: bytes) -> None:
    lines = body.count(b"\n") - 1
    assert (len(body) > TOO_LARGE_FOR_THE_PAGE) == (name == "large")
    with site.visit(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{site.url}/my/imports")
        page.set_input_files("input[type=file]", {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": body})
        page.locator("form:has(input[type=file]) button.main").click()
        expect(page.locator("h1")).to_have_text(f"{name}.csv")
        expect(page.locator("main")).to_contain_text(re.compile(rf"{lines:,} of {lines:,} lines"))
        picture(page, f"import-{name}")
        shown = site.ask("GET", "/imports")["imports"][0]
        assert (shown["status"], shown["counts"]["captured"], shown["counts"]["bad"]) == ("DONE", lines - 1, 1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    titles = [item["title"] for item in site.ask("GET", "/items?status=ARCHIVED&limit=100")["items"]]
    assert sum(title.startswith("第") for title in titles) >= lines - 1


def test_a_large_file_on_its_way_is_seen_to_be_on_its_way(site: Site, browser: Browser) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with site.visit(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{site.url}/my/imports")
        page.route(lambda url: "/my/" not in url, hold)
        body = pocket(60, "x" * 80_000, "seen")
        page.set_input_files("input[type=file]", {"name": "seen.csv", "mimeType": "text/csv", "buffer": body})
        with page.expect_request(lambda asked: asked.method == "PUT"):
            page.locator("form:has(input[type=file]) button.main").click()
        bar = page.locator("form:has(input[type=file]) progress")
        expect(bar).to_be_visible()
        expect(page.locator("form:has(input[type=file])")).to_contain_text("Stay on this page")
        picture(page, "import-sending")
        held[0].continue_()
        expect(page.locator("h1")).to_have_text("seen.csv")
