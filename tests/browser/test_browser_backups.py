"""Backups in a real browser: create, watch without a reload, download, restore."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.visitor import PATIENCE, TEXT, Site, picture, serious, until

expect.set_options(timeout=PATIENCE)


def done_after(site: Site, before: int) -> dict[str, Any] | None:
    """The newest backup, once it is done and not one of the earlier ones."""
    backups = site.ask("GET", "/backups")["backups"]
    return backups[0] if len(backups) > before and backups[0]["status"] == "DONE" else None


@pytest.mark.parametrize(("language", "theme", "width"), [("en", "dark", 1440), ("zh", "light", 390)])
def test_backup_downloads_as_one_file(site: Site, browser: Browser, language: str, theme: str, width: int) -> None:
    request = {"content": TEXT[language], "intent_text": "take it with me", "process": False}
    item_id = site.ask("POST", "/capture", request)["item"]["id"]
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, "locale": language}
    before = len(site.ask("GET", "/backups")["backups"])
    with site.visit(browser, **options) as page:
        page.goto(f"{site.url}/my/settings")
        page.locator('a[href$="/my/backups"]').click()
        page.evaluate("window.stays = true")
        page.locator("#newest form button").click()
        backup = until(lambda: done_after(site, before), "the backup")
        expect(page.locator(f'#newest a.main[href*="{backup["id"]}"]')).to_be_visible()
        assert page.evaluate("window.stays"), "the page was loaded anew"
        picture(page, f"backups-{width}-{theme}-{language}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        with page.expect_download() as download:
            page.locator("#newest a.main").click()
        assert download.value.suggested_filename == f"readdo-backup-{backup['created_at'][:10]}.zip"
        body = Path(download.value.path()).read_bytes()
        assert len(body) == backup["bytes"]
        assert item_id in zipfile.ZipFile(io.BytesIO(body)).read("items.jsonl").decode()


@pytest.mark.parametrize(
    ("language", "theme", "width", "more"),
    [("zh", "dark", 390, 0), ("en", "light", 1440, 4_500_000)],
    ids=["through the page", "straight to the bucket"],
)
def test_backup_is_restored(site: Site, browser: Browser, language: str, theme: str, width: int, more: int) -> None:
    """Existing items stay, missing items are restored, and the page lists refused lines."""
    request = {"content": TEXT[language], "intent_text": f"here and back: {more}", "process": False}
    item_id = site.ask("POST", "/capture", request)["item"]["id"]
    other_id = item_id[:-3] + ("YYY" if item_id.endswith("ZZZ") else "ZZZ")
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, "locale": language}
    with site.visit(browser, **options) as page:
        body = change_backup(download_backup(site, page), item_id, other_id, more)
        page.goto(f"{site.url}/my/restores")
        assert serious(page) == []
        page.set_input_files("input[type=file]", {"name": "b.zip", "mimeType": "application/zip", "buffer": body})
        page.locator("form:has(input[type=file]) button.main").click()
        expect(page.locator(".counts")).to_be_visible()
        expect(page.locator(".state.done")).to_be_visible()
        picture(page, f"restore-{width}-{theme}-{language}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        (restored, *_) = site.ask("GET", "/restores")["restores"]
        assert (restored["restored"], restored["known"] > 0, restored["refused"]) == (1, True, 1)
        counts = [f"{restored[name]:,}" for name in ("restored", "known", "refused")]
        assert page.locator(".counts dd").all_inner_texts() == counts
        expect(page.locator(".lines li")).to_have_count(1)
    assert site.ask("GET", f"/items/{other_id}")["item"]["intent_text"] == request["intent_text"]


def download_backup(site: Site, page: Page) -> bytes:
    backup = site.ask("GET", "/export-all?fresh=true")["backup"]
    page.goto(f"{site.url}/my/backups")
    link = page.locator(f'#newest a.main[href*="{backup["id"]}"]')
    expect(link).to_be_visible()
    with page.expect_download() as download:
        link.click()
    return Path(download.value.path()).read_bytes()


def change_backup(body: bytes, item_id: str, other_id: str, more: int) -> bytes:
    """Add a missing item, an unreadable line and this many bytes to the backup."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(body)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            if name == "items.jsonl":
                line = next(line for line in raw.splitlines() if item_id.encode() in line)
                raw += line.replace(f'"id":"{item_id}"'.encode(), f'"id":"{other_id}"'.encode()) + b"\n[]\n"
            new.writestr(name, raw)
        new.writestr("more.bin", bytes(more))
    return changed.getvalue()
