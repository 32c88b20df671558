"""Complete visits of users."""

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from browser.visitor import PATIENCE, TEXT, WHY, WINDOWS, Site, capture, picture, serious, until

expect.set_options(timeout=PATIENCE)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_text_becomes_files(site: Site, browser: Browser, language: str) -> None:
    """Capture, watch without a reload, edit, export, and open the link."""
    why = f"{WHY[language]} · {language}"
    with site.visit(browser, locale={"en": "en-GB", "zh": "zh-CN"}[language]) as page:
        capture(page, TEXT[language], why)
        row = page.locator(".row", has_text=why)
        expect(row).to_be_visible()
        page.evaluate("window.stays = true")
        expect(row.locator(".score b")).to_have_text(re.compile(r"\d+"))
        row.locator("a.open").click()
        page.locator("#summary a.edit").click()
        edited_text = "What I wrote myself stays, 我自己写的也在。"
        page.locator("[name=insight]").fill(edited_text)
        page.locator(".editing button.main").click()
        expect(page.locator("#summary .insight")).to_have_text(edited_text)
        page.evaluate("window.stays = true")
        page.locator("form.export button").click()
        expect(page.locator(".files a")).to_have_count(3)
        assert page.evaluate("window.stays"), "the page was loaded anew"
        expect(page.locator("img.picture")).to_be_visible()
        assert page.locator("img.picture").evaluate("async (img) => (await img.decode(), img.naturalWidth)") == 1080
        picture(page, f"shipped-{language}")
        with page.context.expect_page() as opened:
            page.locator(".files a").nth(0).evaluate("(a) => window.open(a.href)")
        opened.value.wait_for_load_state()
        assert "X-Amz-Signature" in opened.value.url or "Signature" in opened.value.url


def test_unreachable_page_is_pasted(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        capture(page, "http://127.0.0.1:9/nothing-here", "see what it says")
        row = page.locator(".row", has_text="see what it says")
        row.locator("a.open").click()
        page.locator('a[href$="edit=paste"]').click()
        picture(page, "failed")
        page.locator("[name=content]").fill(TEXT["en"])
        page.locator("#paste button.main").click()
        expect(page.locator("#summary")).to_be_visible()
        expect(page.locator(".item .state.ready").first).to_be_visible()


def test_list_works_by_keyboard(site: Site, browser: Browser) -> None:
    for number in range(2):
        body = {"content": TEXT["en"], "title": f"By keys {number}", "intent_text": "no mouse", "process": False}
        site.ask("POST", "/capture", body)
    with site.visit(browser) as page:
        page.keyboard.press("?")
        expect(page.locator("dialog#help")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("dialog#help")).to_be_hidden()
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("k")
        first = page.locator(".row").first
        expect(first).to_have_class(re.compile("here"))
        page.keyboard.press("/")
        page.keyboard.type("By keys")
        page.keyboard.press("Enter")
        expect(page.locator(".row")).to_have_count(2)
        page.keyboard.press("j")
        page.keyboard.press("a")
        expect(page.locator(".flash")).to_be_visible()
        page.keyboard.press("j")
        page.keyboard.press("o")
        expect(page.locator("article.item")).to_be_visible()


def test_keyboard_focus_stays_in_the_list(site: Site, browser: Browser) -> None:
    """The focus stays after a command, after a refresh, and after a key that does nothing."""
    for number in range(3):
        body = {"content": TEXT["en"], "title": f"Stays {number}", "intent_text": "keep my place", "process": False}
        site.ask("POST", "/capture", body)
    with site.visit(browser) as page:
        page.goto(f"{site.url}/my/list/in_progress")
        page.keyboard.press("r")
        expect(page.locator("#toast")).to_contain_text("Select an item first")
        page.keyboard.press("j")
        page.keyboard.press("j")
        after = page.locator(".row").nth(2).get_attribute("id")
        page.keyboard.press("r")
        expect(page.locator("#toast")).to_contain_text("not available for the item in its current state")
        page.keyboard.press("a")
        expect(page.locator("#heard")).to_have_text("Archived.")
        expect(page.locator(".row.here")).to_have_id(str(after))
        page.goto(f"{site.url}/my")
        capture(page, TEXT["en"] + " Watched.", "watched while I stand elsewhere")
        button = page.locator(f"#{after}").get_by_role("button", name="Archive")
        button.focus()
        expect(page.locator(".row", has_text="watched while").locator(".score b")).to_have_text(re.compile(r"\d+"))
        expect(button).to_be_focused()


def test_page_works_without_scripts(site: Site, browser: Browser) -> None:
    why = "how a lease keeps two workers apart, without scripts"
    with site.visit(browser, java_script_enabled=False) as page:
        capture(page, TEXT["en"], why)
        row = page.locator(".row", has_text=why)
        expect(row.get_by_role("button", name="Export")).to_be_visible()  # the page reloads itself
        row.locator("a.open").click()
        page.locator("#card a.edit").click()
        page.locator("[name=headline]").fill("A headline of my own hands")
        page.locator(".editing button.main").click()
        expect(page.locator(".card h4")).to_have_text("A headline of my own hands")
        page.get_by_role("button", name="Archive").click()
        page.locator(".flash").get_by_role("button", name="Undo").click()
        expect(page.locator(".state.ready").first).to_be_visible()


def test_button_without_an_answer_shows_an_error(site: Site, browser: Browser) -> None:
    site.ask("POST", "/capture", {"content": TEXT["en"], "intent_text": "stay where you are", "process": False})
    with site.visit(browser) as page:
        page.route("**/do/archive", _abort)
        row = page.locator(".row", has_text="stay where you are")
        row.get_by_role("button", name="Archive").click()
        expect(page.locator("#toast")).not_to_be_empty()
        expect(row).not_to_have_class(re.compile("leaving"))
        expect(row.get_by_role("button", name="Archive")).to_be_enabled()


def _abort(route: Route) -> None:
    route.abort("connectionrefused")


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_fits_its_window_and_is_accessible(
    site: Site, browser: Browser, window: str, theme: str, language: str
) -> None:
    width, height = WINDOWS[window]
    options = {
        "viewport": {"width": width, "height": height},
        "color_scheme": theme,
        "locale": {"en": "en", "zh": "zh"}[language],
    }
    item_id = _ready_item(site, language)
    with site.visit(browser, **options) as page:
        paths = [
            "/my",
            f"/my/items/{item_id}",
            f"/my/items/{item_id}?edit=todos",
            "/my/settings",
            "/my/capture",
            "/my/enter",
        ]
        for path in [*paths, f"/my/items/{item_id}/versions/summary", "/my/list/archived", "/my/nothing"]:
            page.goto(site.url + path)
            name = path.replace(item_id, "item").strip("/").replace("/", "-").replace("?", "-")
            picture(page, f"{name}-{window}-{theme}-{language}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate(
                "[...document.querySelectorAll('main > *')].every((e) => e.getBoundingClientRect().x >= 0)"
            )
            assert serious(page) == [], path


def _ready_item(site: Site, language: str) -> str:
    ready = site.ask("GET", "/items?status=READY&status=SHIPPED&limit=1")["items"]
    if ready:
        return str(ready[0]["id"])
    response = site.ask(
        "POST", "/capture", {"content": TEXT[language], "title": "Leases 租约", "intent_text": WHY[language]}
    )
    item_id = str(response["item"]["id"])
    until(lambda: site.ask("GET", f"/items/{item_id}")["item"]["status"] not in ("QUEUED", "PROCESSING"), "an end")
    return item_id
