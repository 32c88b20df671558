"""API reference at /docs in a real browser: every call, deep links, the filter, and text that stays text."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.visitor import PATIENCE, WINDOWS, Site, picture, serious
from support.api_description import description

expect.set_options(timeout=PATIENCE)
OPERATIONS = [call for methods in description()["paths"].values() for call in methods.values()]
NAMES = {call["operationId"] for call in OPERATIONS}
# Every kind of element, and little enough for axe, which needs half a minute for all calls.
FEW = {**description(), "paths": {p: description()["paths"][p] for p in ("/capture", "/tasks/{task_id}", "/docs")}}


def open_docs(page: Page, site: Site, anchor: str = "") -> None:
    page.goto(f"{site.url}/docs{anchor}")
    expect(page.locator("nav")).to_be_visible()


def open_all_details(page: Page, call: str) -> None:
    """Open them layer by layer, because a model is rendered when it is opened."""
    closed = page.locator(f"#{call} details:not([open]) > summary")
    for _ in range(100):
        if not closed.count():
            return
        closed.first.click()
    raise AssertionError(f"{call} always has more details")


def test_every_call_is_shown_with_its_parts(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        open_docs(page, site)
        assert set(page.locator("article").evaluate_all("all => all.map((one) => one.id)")) == NAMES
        links = page.locator("nav li li a").evaluate_all("all => all.map((one) => one.hash.slice(1))")
        assert (len(links), set(links)) == (len(NAMES), NAMES)
        shown = page.locator("main").inner_text()
        assert [call["summary"] for call in OPERATIONS if call["summary"].replace("`", "") not in shown] == []
        codes = page.locator("#errors td:nth-child(2)").all_inner_texts()
        schemas = description()["components"]["schemas"]
        assert set(codes) == set(schemas["ErrorWords"]["properties"]["code"]["enum"])
        statuses = page.locator("#errors td:nth-child(1):not([colspan])").all_inner_texts()
        assert [status for status in statuses if not status.isdigit()] == []


def test_details_show_nested_fields_with_limits_and_examples(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        open_docs(page, site, "#editArtifact")
        open_all_details(page, "editArtifact")
        text = page.locator("#editArtifact").inner_text()
    for part in ("SummaryPayload", "required", "optional", "10–90 characters", "If-Match", "VERSION_MISMATCH", "201"):
        assert part in text
    assert text.count("{\n") >= 2, "examples of the request and the response"


@pytest.mark.parametrize("window", ["phone", "wide"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_page_fits_its_window_and_is_accessible(site: Site, browser: Browser, window: str, theme: Any) -> None:
    width, height = WINDOWS[window]
    with site.visit(browser, viewport={"width": width, "height": height}, color_scheme=theme) as page:
        open_docs(page, site)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.route("**/openapi.json", lambda route: route.fulfill(json=FEW))
        page.goto(f"{site.url}/docs?few#getTask")
        open_all_details(page, "getTask")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious(page) == []
        picture(page, f"api-reference-{window}-{theme}")


def test_deep_link_opens_its_call(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        open_docs(page, site, "#exportItem")
        expect(page.locator("#exportItem:target")).to_be_in_viewport()
        assert page.locator("#exportItem > details[open]").count() == 2, "both responses, not the errors"
        page.locator("nav a[href='#getItem']").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#getItem:target")).to_be_in_viewport()


def test_filter_leaves_matching_calls_and_a_link_ends_it(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        open_docs(page, site)
        page.get_by_label("Filter the calls").fill("WEBHOOK test")
        expect(page.get_by_role("status")).to_have_text(f"1 of {len(NAMES)} calls")
        expect(page.locator("article:visible, nav li li:visible")).to_have_count(2)
        assert page.locator("section:visible").count() == 1
        page.evaluate("location.hash = '#listItems'")
        expect(page.locator("#listItems")).to_be_in_viewport()
        expect(page.locator("article:visible")).to_have_count(len(NAMES))


def test_page_without_scripts_leads_to_the_description(site: Site, browser: Browser) -> None:
    with site.visit(browser, java_script_enabled=False) as page:
        page.goto(f"{site.url}/docs")
        expect(page.locator("noscript p")).to_be_visible()
        expect(page.locator("noscript p")).to_contain_text("docs/api.md")
        expect(page.locator("nav")).to_be_hidden()
        page.locator("noscript a").click()
        expect(page.locator("body")).to_contain_text('"openapi"')


def test_description_is_text_and_its_failure_is_told(site: Site, browser: Browser) -> None:
    hostile = "<img src=x onerror=alert(1)> [run](javascript:alert(1)) and [this](https://example.com/)"
    document = json.loads(json.dumps(description()))
    document["paths"]["/capture"]["post"] |= {"summary": hostile, "description": hostile}

    def answer(route: Route) -> None:
        route.fulfill(json=document)

    with site.visit(browser) as page:
        page.route("**/openapi.json", answer)
        open_docs(page, site)
        expect(page.locator("#capture .does")).to_have_text(hostile.replace("[this](https://example.com/)", "this"))
        assert page.locator("#capture img, #capture [href^=javascript]").count() == 0
        page.unroute("**/openapi.json")
        page.route("**/openapi.json", lambda route: route.fulfill(status=503))
        page.goto(f"{site.url}/docs")
        expect(page.get_by_role("alert")).to_have_text("The description did not load: status 503.")
