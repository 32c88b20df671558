"""Everything is taken out by a real browser: asked for, watched without a reload, downloaded, and readable anywhere."""

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from test_browser_visit import serious
from visitor import PATIENCE, TEXT, Site, picture

expect.set_options(timeout=PATIENCE)


@pytest.mark.parametrize(("language", "theme", "width"), [("en", "dark", 1440), ("zh", "light", 390)])
def test_everything_arrives_as_one_file(site: Site, browser: Browser, language: str, theme: str, width: int) -> None:
    saved = {"content": TEXT[language], "intent_text": "take it with me", "process": False}
    item_id = site.ask("POST", "/capture", saved)["item"]["id"]
    how = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, "locale": language}
    with site.visit(browser, **how) as page:
        page.goto(f"{site.url}/my/settings")
        page.locator('a[href$="/my/backups"]').click()
        page.evaluate("window.stays = true")
        page.locator("#newest form button").click()
        expect(page.locator("#newest a.main")).to_be_visible()
        assert page.evaluate("window.stays"), "the page was loaded anew"
        picture(page, f"backups-{width}-{theme}-{language}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        with page.expect_download() as coming:
            page.locator("#newest a.main").click()
        (made, *_) = site.ask("GET", "/backups")["backups"]
        assert coming.value.suggested_filename == f"readdo-backup-{made['created_at'][:10]}.zip"
        body = Path(coming.value.path()).read_bytes()
        assert len(body) == made["bytes"]
        assert item_id in zipfile.ZipFile(io.BytesIO(body)).read("items.jsonl").decode()


@pytest.mark.parametrize(
    ("language", "theme", "width", "more"),
    [("zh", "dark", 390, 0), ("en", "light", 1440, 4_500_000)],
    ids=["through the page", "straight to the bucket"],
)
def test_a_backup_is_brought_back(
    site: Site, browser: Browser, language: str, theme: str, width: int, more: int
) -> None:
    """What is here stays, what is not comes, and the page says what cannot."""
    saved = {"content": TEXT[language], "intent_text": f"here and back: {more}", "process": False}
    item_id = site.ask("POST", "/capture", saved)["item"]["id"]
    other_id = item_id[:-3] + ("YYY" if item_id.endswith("ZZZ") else "ZZZ")
    how = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, "locale": language}
    with site.visit(browser, **how) as page:
        body = beside(taken_out(site, page), item_id, other_id, more)
        page.goto(f"{site.url}/my/restores")
        assert serious(page) == []
        page.set_input_files("input[type=file]", {"name": "b.zip", "mimeType": "application/zip", "buffer": body})
        page.locator("form:has(input[type=file]) button.main").click()
        expect(page.locator(".counts")).to_be_visible()
        expect(page.locator(".state.done")).to_be_visible()
        picture(page, f"restore-{width}-{theme}-{language}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        (shown, *_) = site.ask("GET", "/restores")["restores"]
        assert (shown["restored"], shown["known"] > 0, shown["refused"]) == (1, True, 1)
        counts = [f"{shown[name]:,}" for name in ("restored", "known", "refused")]
        assert page.locator(".counts dd").all_inner_texts() == counts
        expect(page.locator(".lines li")).to_have_count(1)
    assert site.ask("GET", f"/items/{other_id}")["item"]["intent_text"] == saved["intent_text"]


def taken_out(site: Site, page: Page) -> bytes:
    made = site.ask("GET", "/export-all?fresh=true")["backup"]
    page.goto(f"{site.url}/my/backups")
    link = page.locator(f'#newest a.main[href*="{made["id"]}"]')
    expect(link).to_be_visible()
    with page.expect_download() as coming:
        link.click()
    return Path(coming.value.path()).read_bytes()


def beside(body: bytes, item_id: str, other_id: str, more: int) -> bytes:
    """An item that is not here, a line that cannot be read, and so many bytes more."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            if name == "items.jsonl":
                line = next(line for line in raw.splitlines() if item_id.encode() in line)
                raw += line.replace(f'"id":"{item_id}"'.encode(), f'"id":"{other_id}"'.encode()) + b"\n[]\n"
            new.writestr(name, raw)
        new.writestr("more.bin", bytes(more))
    return made.getvalue()
