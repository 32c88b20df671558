"""Everything is taken out by a real browser: asked for, watched without a reload, downloaded, and readable anywhere."""

import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
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
