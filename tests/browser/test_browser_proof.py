"""The Proof desk in a real browser: from the upload to the download, live and without a reload."""

import re

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from browser.visitor import PATIENCE, Site, picture, serious

expect.set_options(timeout=PATIENCE)
LINE = "林栀推开门,屋里一个人也没有...外面的雨一直没有停。\n\n"
TOO_LARGE_FOR_THE_PAGE = 4_500_000


def upload(site: Site, page: Page, name: str, body: bytes) -> None:
    page.goto(f"{site.url}/my/proof")
    page.set_input_files("input[type=file]", {"name": name, "mimeType": "text/plain", "buffer": body})
    page.locator("form:has(input[type=file]) button.main").click()
    expect(page.locator("h1")).to_have_text(name)
    expect(page.locator("#progress")).to_contain_text("The text is valid")


@pytest.mark.parametrize(
    ("name", "times", "width"),
    [("small.txt", 400, 1440), ("large.txt", 61_000, 390)],
    ids=["through the page", "straight to the bucket"],
)
def test_text_is_checked_and_downloaded(site: Site, browser: Browser, name: str, times: int, width: int) -> None:
    body = (LINE * times).encode()
    assert (len(body) > TOO_LARGE_FOR_THE_PAGE) == (name == "large.txt")
    with site.visit(browser, viewport={"width": width, "height": 900}) as page:
        upload(site, page, name, body)
        assert serious(page) == []
        page.get_by_role("button", name="Process").click()
        expect(page.locator("#progress")).to_contain_text("All chunks are done")
        page.get_by_role("button", name="Merge").click()
        download = page.get_by_role("link", name=re.compile("Download"))
        expect(download).to_be_visible()
        picture(page, f"proof-{width}")
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        job_id = page.url.split("?")[0].rsplit("/", 1)[-1]
        page.locator(".grid a").first.click()
        expect(page.locator("h1")).to_contain_text("Chunk 0")
        assert serious(page) == []
    headers = {"Authorization": f"Bearer {site.token}"}
    link = requests.get(f"{site.url}/jobs/{job_id}/output", headers=headers, allow_redirects=False, timeout=60)
    merged = requests.get(link.headers["Location"], timeout=60).content.decode()
    assert merged.count("　　林栀推开门，屋里一个人也没有……外面的雨一直没有停。\n") == times


def test_delete_asks_first_and_the_job_is_gone(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        upload(site, page, "gone.txt", LINE.encode())
        page.locator("summary", has_text="Delete").click()
        page.get_by_role("button", name="Delete for good").click()
        expect(page.locator("main")).to_contain_text("Deleted.")
        assert "gone.txt" not in page.locator(".imports").all_inner_texts()
    assert all(job["filename"] != "gone.txt" for job in site.ask("GET", "/jobs")["jobs"])
