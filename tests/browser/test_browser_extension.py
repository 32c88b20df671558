"""One click, one line: the extension on a page behind a login, and all that can be wrong with it, in words."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from toolbar import Popup, Toolbar
from visitor import SEEN, TEXT, Site, until

PAGE = """<!doctype html><html lang="en"><head><title>Members only · Leases</title><script>var a = 'a script'</script>
<style>.x { color: red }</style></head><body><nav hidden>a hidden menu</nav><p style="display: none">not to be seen</p>
<form><input value="my password"><textarea>my draft</textarea></form>
<article><h1>Leases</h1><p>%s</p><p>%s</p></article></body></html>"""
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
LONG = "<p>" + "A sentence of a very long page that nobody has read to its end. " * 40 + "</p>"


class _Members(BaseHTTPRequestHandler):
    """Only who has the cookie sees the page; a fetch of its link would see the login."""

    def do_GET(self) -> None:
        body = "<title>Log in</title><p>Please log in to read this.</p>"
        if "member=1" in self.headers.get("Cookie", ""):
            body = PAGE % (TEXT["en"], "<p>".join([LONG] * 200) if "long" in self.path else "The end.")
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def members() -> Iterator[str]:
    """At another name than the one that the extension was allowed: what it sees there, it sees by the click."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Members)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def settle(bar: Toolbar, address: str, token: str) -> str:
    """What the settings say to it."""
    page = bar.options()
    page.fill("#address", address)
    page.fill("#token", token)
    page.click("#save")
    expect(page.locator("#save")).to_be_enabled()
    told = page.locator("#well, #wrong").locator("visible=true").inner_text()
    page.close()
    return told


def visit(bar: Toolbar, members: str, path: str) -> Popup:
    bar.context.add_cookies([{"name": "member", "value": "1", "url": members}])
    bar.page.goto(members + path)
    return bar.press()


def saved(popup: Popup, site: Site) -> dict[str, Any]:
    """The item that the popup's link leads to."""
    popup.seen("outcome")
    address = str(popup.ask("document.getElementById('open').href"))
    assert address.startswith(f"{site.url}/my/items/")
    return dict(site.ask("GET", f"/items/{address.rpartition('/')[2]}"))


def test_a_page_behind_a_login_is_saved_as_it_is_seen(bar: Toolbar, members: str, site: Site) -> None:
    assert site.url in settle(bar, site.url, site.token)
    popup = visit(bar, members, "/seen")
    assert popup.seen("title") == "Members only · Leases"
    assert popup.seen("domain") == members.removeprefix("http://")
    popup.picture("first")
    popup.write("make our queue safe")
    popup.ask("document.getElementById('own').click()")
    popup.ask("document.getElementById('why').focus()")
    popup.enter()
    assert popup.seen("outcome").startswith("Saved")
    item = saved(popup, site)["item"]
    assert (item["url"], item["intent_text"]) == (f"{members}/seen", "make our queue safe")
    assert item["title"] == "Members only · Leases"
    until(lambda: saved(popup, site)["item"]["status"] not in ("CAPTURED", "QUEUED", "PROCESSING"), "an end")
    found = saved(popup, site)
    assert found["item"]["status"] == "READY"
    text = found["artifacts"]["extraction"]["payload"]["normalized_text"]
    assert "fencing token" in text
    for hidden in ("a script", "hidden menu", "not to be seen", "my password", "my draft", "log in"):
        assert hidden not in text


@pytest.mark.parametrize("bar", ["zh-CN"], indirect=True)
def test_saved_again_it_joins_and_both_reasons_are_told(bar: Toolbar, members: str, site: Site) -> None:
    settle(bar, site.url, site.token)
    for reason in ("第一个理由", "the second reason"):
        popup = visit(bar, members, "/twice")
        popup.write(reason)
        popup.enter()
        popup.seen("outcome")
        popup.picture(f"joined-{reason[:3]}")
        words = popup.seen("intents")
        bar.close(popup)
    assert words.splitlines() == ["第一个理由", "the second reason"]


def test_what_was_written_outlives_the_popup_and_a_refusal(bar: Toolbar, members: str, site: Site) -> None:
    settle(bar, site.url, "rd_nobody_knows_this")
    popup = visit(bar, members, "/kept")
    popup.write("a reason that took long to write")
    popup.enter()
    assert "token is unknown" in popup.seen("wrong")
    assert popup.seen("mend") == "Open the settings"
    popup.picture("refused")
    bar.close(popup)
    settle(bar, site.url, site.token)
    popup = bar.press()
    popup.until("document.getElementById('why')?.value === 'a reason that took long to write'")
    popup.enter()
    assert saved(popup, site)["item"]["intents"] == ["a reason that took long to write"]


def test_an_answer_that_was_lost_is_asked_for_again_and_is_one_item(bar: Toolbar, members: str, site: Site) -> None:
    """The first press arrives and its answer does not."""
    settle(bar, site.url, site.token)
    popup = visit(bar, members, "/lost")
    popup.write("only once")
    popup.ask(
        "(() => { const real = fetch; let lost = true;"
        " window.fetch = async (...sent) => { const answer = await real(...sent);"
        " if (lost) { lost = false; throw new TypeError('lost'); } return answer; }; })()"
    )
    popup.enter()
    assert "No answer" in popup.seen("wrong")
    popup.enter()
    item = saved(popup, site)["item"]
    assert (popup.seen("outcome")[:5], item["save_count"], item["intents"]) == ("Saved", 1, ["only once"])


def test_a_page_that_is_too_long_is_cut_and_that_is_told(bar: Toolbar, members: str, site: Site) -> None:
    settle(bar, site.url, site.token)
    popup = visit(bar, members, "/long")
    popup.write("to the end")
    popup.ask("document.getElementById('own').click()")
    popup.ask("document.getElementById('capture').requestSubmit()")
    assert "400,000" in popup.seen("note")
    popup.picture("cut")
    assert saved(popup, site)["item"]["intent_text"] == "to the end"


def test_a_page_of_the_browser_itself_is_not_saved(bar: Toolbar, site: Site) -> None:
    settle(bar, site.url, site.token)
    bar.page.goto("chrome://version")
    popup = bar.press()
    assert "page of the browser itself" in popup.seen("wrong")
    assert popup.ask("document.getElementById('capture').hidden")


def test_the_settings_say_what_is_wrong(bar: Toolbar, members: str, site: Site) -> None:
    reader = site.ask("POST", "/tokens", {"name": "only looks", "scopes": ["read"]})["token"]["secret"]
    stranger = members.replace("localhost", "127.0.0.1")
    assert "This is not an address" in settle(bar, "ftp://readdo", site.token)
    assert "Without https" in settle(bar, "http://readdo.example", site.token)
    assert "No answer from http://127.0.0.1:9" in settle(bar, "http://127.0.0.1:9", site.token)
    assert "not as Read→Do does" in settle(bar, stranger, site.token)
    assert "revoked" in settle(bar, site.url, "rd_wrong")
    assert "'write'" in settle(bar, site.url, reader)
    assert "It works" in settle(bar, f"{site.url}/my/settings?x=1", f" {site.token} ")


def test_without_settings_it_says_where_they_are(bar: Toolbar, members: str) -> None:
    page = bar.options()
    page.click("#forget")
    expect(page.locator("#well")).to_be_visible()
    page.close()
    popup = visit(bar, members, "/unset")
    assert "does not know your Read→Do yet" in popup.seen("wrong")
    assert popup.seen("mend")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_pages_can_be_read(bar: Toolbar, members: str, site: Site, theme: Literal["light", "dark"]) -> None:
    settle(bar, site.url, site.token)
    popup = visit(bar, members, "/read")
    popup.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    popup.seen("save")
    popup.picture(f"popup-{theme}")
    popup.ask(AXE)
    found = popup.ask("axe.run().then((found) => found.violations.map((one) => `${one.impact} ${one.id}`))")
    page = bar.options()
    page.emulate_media(color_scheme=theme)
    page.screenshot(path=SEEN / f"extension-options-{theme}.png", full_page=True)
    found += [f"{one['impact']} {one['id']}" for one in Axe().run(page).response["violations"]]
    page.close()
    assert [one for one in found if one.startswith(("serious", "critical"))] == []


HELD = """(() => {
  const owner = %s, get = owner.%s.bind(owner);
  const released = new Promise((go) => { window.release = go; });
  owner.%s = async (...given) => { await released; return get(...given); };
})()"""


def test_settings_keep_what_is_typed_before_they_are_loaded(bar: Toolbar, site: Site) -> None:
    settle(bar, site.url, site.token)
    page = bar.opened("options.html", HELD % ("chrome.storage.local", "get", "get"))
    page.fill("#address", "http://127.0.0.1:9999")
    page.evaluate("release()")
    expect(page.locator("#token")).to_have_value(site.token)
    expect(page.locator("#address")).to_have_value("http://127.0.0.1:9999")


def test_popup_sends_nothing_before_it_is_filled_in(bar: Toolbar) -> None:
    page = bar.opened("popup.html", HELD % ("chrome.tabs", "query", "query"))
    address = page.url
    page.fill("#why", "a reason")
    page.evaluate("document.getElementById('capture').requestSubmit()")
    page.evaluate("release()")
    expect(page.locator("#title")).not_to_be_empty()
    assert page.url == address
