"""Browser extension on a page behind a login, and all its error messages."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.toolbar import Popup, Toolbar
from browser.visitor import SEEN, TEXT, Site, until

PAGE = """<!doctype html><html lang="en"><head><title>Members only · Leases</title><script>var a = 'a script'</script>
<style>.x { color: red }</style></head><body><nav hidden>a hidden menu</nav><p style="display: none">not to be seen</p>
<form><input value="my password"><textarea>my draft</textarea></form>
<article><h1>Leases</h1><p>%s</p><p>%s</p></article></body></html>"""
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
LONG = "<p>" + "A sentence of a very long page that nobody has read to its end. " * 40 + "</p>"


class _Members(BaseHTTPRequestHandler):
    """Site whose page needs a cookie; a fetch of its link gets the login."""

    def do_GET(self) -> None:
        body = "<title>Log in</title><p>Please log in to read this.</p>"
        if "member=1" in self.headers.get("Cookie", ""):
            body = PAGE % (TEXT["en"], "<p>".join([LONG] * 200) if "long" in self.path else "The end.")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def members() -> Iterator[str]:
    """Site at another name than the extension may access: only the click gives access."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Members)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def save_settings(bar: Toolbar, address: str, token: str) -> str:
    """Save the settings and return the message."""
    page = bar.options()
    page.fill("#address", address)
    page.fill("#token", token)
    page.click("#save")
    expect(page.locator("#save")).to_be_enabled()
    message = page.locator("#well, #wrong").locator("visible=true").inner_text()
    page.close()
    return message


def visit(bar: Toolbar, members: str, path: str) -> Popup:
    bar.context.add_cookies([{"name": "member", "value": "1", "url": members}])
    bar.page.goto(members + path)
    return bar.press()


def saved_item(popup: Popup, site: Site) -> dict[str, Any]:
    """Return the item that the popup's link leads to."""
    popup.text_of("outcome")
    address = str(popup.ask("document.getElementById('open').href"))
    assert address.startswith(f"{site.url}/my/items/")
    return dict(site.ask("GET", f"/items/{address.rpartition('/')[2]}"))


def test_page_behind_a_login_is_saved_as_visible(bar: Toolbar, members: str, site: Site) -> None:
    assert site.url in save_settings(bar, site.url, site.token)
    popup = visit(bar, members, "/seen")
    assert popup.text_of("title") == "Members only · Leases"
    assert popup.text_of("domain") == members.removeprefix("http://")
    popup.picture("first")
    popup.write("make our queue safe")
    popup.ask("document.getElementById('own').click()")
    popup.ask("document.getElementById('why').focus()")
    popup.enter()
    assert popup.text_of("outcome").startswith("Saved")
    item = saved_item(popup, site)["item"]
    assert (item["url"], item["intent_text"]) == (f"{members}/seen", "make our queue safe")
    assert item["title"] == "Members only · Leases"
    until(lambda: saved_item(popup, site)["item"]["status"] not in ("CAPTURED", "QUEUED", "PROCESSING"), "an end")
    answer = saved_item(popup, site)
    assert answer["item"]["status"] == "READY"
    text = answer["artifacts"]["extraction"]["payload"]["normalized_text"]
    assert "fencing token" in text
    for hidden in ("a script", "hidden menu", "not to be seen", "my password", "my draft", "log in"):
        assert hidden not in text


@pytest.mark.parametrize("bar", ["zh-CN"], indirect=True)
def test_page_saved_again_joins_and_shows_both_reasons(bar: Toolbar, members: str, site: Site) -> None:
    save_settings(bar, site.url, site.token)
    for reason in ("第一个理由", "the second reason"):
        popup = visit(bar, members, "/twice")
        popup.write(reason)
        popup.enter()
        popup.text_of("outcome")
        popup.picture(f"joined-{reason[:3]}")
        words = popup.text_of("intents")
        bar.close(popup)
    assert words.splitlines() == ["第一个理由", "the second reason"]


def test_draft_survives_the_popup_and_a_refusal(bar: Toolbar, members: str, site: Site) -> None:
    save_settings(bar, site.url, "rd_nobody_knows_this")
    popup = visit(bar, members, "/kept")
    popup.write("a reason that took long to write")
    popup.enter()
    assert "token is unknown" in popup.text_of("wrong")
    assert popup.text_of("mend") == "Open the settings"
    popup.picture("refused")
    bar.close(popup)
    save_settings(bar, site.url, site.token)
    popup = bar.press()
    popup.until("document.getElementById('why')?.value === 'a reason that took long to write'")
    popup.enter()
    assert saved_item(popup, site)["item"]["intents"] == ["a reason that took long to write"]


def test_retry_after_a_lost_answer_creates_one_item(bar: Toolbar, members: str, site: Site) -> None:
    """The first request arrives, and its answer is lost."""
    save_settings(bar, site.url, site.token)
    popup = visit(bar, members, "/lost")
    popup.write("only once")
    popup.ask(
        "(() => { const real = fetch; let lost = true;"
        " window.fetch = async (...sent) => { const answer = await real(...sent);"
        " if (lost) { lost = false; throw new TypeError('lost'); } return answer; }; })()"
    )
    popup.enter()
    assert "No response" in popup.text_of("wrong")
    popup.enter()
    item = saved_item(popup, site)["item"]
    assert (popup.text_of("outcome")[:5], item["save_count"], item["intents"]) == ("Saved", 1, ["only once"])


def test_too_long_page_is_cut_with_a_note(bar: Toolbar, members: str, site: Site) -> None:
    save_settings(bar, site.url, site.token)
    popup = visit(bar, members, "/long")
    popup.write("to the end")
    popup.ask("document.getElementById('own').click()")
    popup.ask("document.getElementById('capture').requestSubmit()")
    assert "400,000" in popup.text_of("note")
    popup.picture("cut")
    assert saved_item(popup, site)["item"]["intent_text"] == "to the end"


def test_page_of_the_browser_itself_is_not_saved(bar: Toolbar, site: Site) -> None:
    save_settings(bar, site.url, site.token)
    bar.page.goto("chrome://version")
    popup = bar.press()
    assert "browser page" in popup.text_of("wrong")
    assert popup.ask("document.getElementById('capture').hidden")


def test_settings_show_what_is_wrong(bar: Toolbar, members: str, site: Site) -> None:
    reader = site.ask("POST", "/tokens", {"name": "only looks", "scopes": ["read"]})["token"]["secret"]
    other_server = members.replace("localhost", "127.0.0.1")
    assert "This is not a valid address" in save_settings(bar, "ftp://readdo", site.token)
    assert "Without https" in save_settings(bar, "http://readdo.example", site.token)
    assert "No response from http://127.0.0.1:9" in save_settings(bar, "http://127.0.0.1:9", site.token)
    assert "it is not Read→Do" in save_settings(bar, other_server, site.token)
    assert "revoked" in save_settings(bar, site.url, "rd_wrong")
    assert "'write'" in save_settings(bar, site.url, reader)
    assert "It works" in save_settings(bar, f"{site.url}/my/settings?x=1", f" {site.token} ")


def test_popup_without_settings_links_to_them(bar: Toolbar, members: str) -> None:
    page = bar.options()
    page.click("#forget")
    expect(page.locator("#well")).to_be_visible()
    page.close()
    popup = visit(bar, members, "/unset")
    assert "is not set up" in popup.text_of("wrong")
    assert popup.text_of("mend")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_popup_and_settings_are_accessible(
    bar: Toolbar, members: str, site: Site, theme: Literal["light", "dark"]
) -> None:
    save_settings(bar, site.url, site.token)
    popup = visit(bar, members, "/read")
    popup.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    popup.text_of("save")
    popup.picture(f"popup-{theme}")
    popup.ask(AXE)
    violations = popup.ask("axe.run().then((found) => found.violations.map((one) => `${one.impact} ${one.id}`))")
    page = bar.options()
    page.emulate_media(color_scheme=theme)
    page.screenshot(path=SEEN / f"extension-options-{theme}.png", full_page=True)
    violations += [f"{one['impact']} {one['id']}" for one in Axe().run(page).response["violations"]]
    page.close()
    assert [one for one in violations if one.startswith(("serious", "critical"))] == []


HELD = """(() => {
  const owner = %s, get = owner.%s.bind(owner);
  const released = new Promise((go) => { window.release = go; });
  owner.%s = async (...given) => { await released; return get(...given); };
})()"""


def test_settings_keep_what_is_typed_before_they_are_loaded(bar: Toolbar, site: Site) -> None:
    save_settings(bar, site.url, site.token)
    page = bar.open_page("options.html", HELD % ("chrome.storage.local", "get", "get"))
    page.fill("#address", "http://127.0.0.1:9999")
    page.evaluate("release()")
    expect(page.locator("#token")).to_have_value(site.token)
    expect(page.locator("#address")).to_have_value("http://127.0.0.1:9999")


def test_popup_sends_nothing_before_it_is_filled_in(bar: Toolbar) -> None:
    page = bar.open_page("popup.html", HELD % ("chrome.tabs", "query", "query"))
    address = page.url
    page.fill("#why", "a reason")
    page.evaluate("document.getElementById('capture').requestSubmit()")
    page.evaluate("release()")
    expect(page.locator("#title")).not_to_be_empty()
    assert page.url == address


WEB_PAGE = "chrome.tabs.query = async () => [{id: 1, url: 'https://example.com/a', title: 'A page'}];"


def test_popup_keeps_what_is_typed_before_the_draft_is_read(bar: Toolbar, site: Site) -> None:
    save_settings(bar, site.url, site.token)
    page = bar.open_page("popup.html", WEB_PAGE + HELD % ("chrome.storage.session", "get", "get"))
    expect(page.locator("#title")).to_have_text("A page")
    page.fill("#why", "a reason")
    page.check("#own")
    page.evaluate("release()")
    page.wait_for_function("Boolean(document.getElementById('why').onkeydown)")
    expect(page.locator("#why")).to_have_value("a reason")
    expect(page.locator("#own")).to_be_checked()
