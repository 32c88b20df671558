"""The Collect desk in a real browser: each page fits a phone and a wide window, in both languages."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser.visitor import PATIENCE, Site, picture, serious
from support.collect_pool import document, output_of, result, supplement

expect.set_options(timeout=PATIENCE)
CLAIM = {"completion_rate": 0.99, "created_count": 3}
TITLE = "从零搭建实时渲染管线：GDC 2025 主题演讲与三场技术讲座的完整整理"


@pytest.fixture(scope="session")  # a worker may visit this module twice
def pool(site: Site) -> dict[str, Any]:
    """Results of each kind, an open batch with faults, and something that waits for a permission."""
    for name, content in (("done", document(name="done")), ("partial", document(60, 120, "partial"))):
        site.ask("PUT", f"/documents/talks/2025/{name}.md", {"content": content})
    kept = [supplement(name, f"talks/2025/{name}.md", priority=1) for name in ("done", "partial", "failed")]
    site.ask("POST", "/assignments", kept)
    batch = site.ask("POST", "/batches", {})["batch"]
    results = (result("done"), result("partial", result=CLAIM), result("failed", "failed", error="HTTP 500"))
    site.ask("PUT", f"/batches/{batch['batch_name']}/output", output_of(batch, *results))
    paths = [f"talks/2025/{number}-{'long-name-' * 5}.md" for number in range(2)]
    waiting = {"status": "skipped", "requires_permission": True, "reason": "GDC Vault 账号", "id": "vault"}
    more = supplement("vault", *paths, title=TITLE, resource_list=["https://www.gdcvault.com/browse/gdc-25"])
    site.ask("POST", "/assignments", [{**more, **waiting}, supplement("open", *paths, title=TITLE)])
    opened = site.ask("POST", "/batches", {})["batch"]
    site.ask("PUT", f"/batches/{opened['batch_name']}/output", {"batch_name": opened["batch_name"]})
    return {"applied": batch["batch_name"], "open": opened["batch_name"]}


@pytest.mark.parametrize(
    ("width", "locale", "scheme"),
    [(1440, "en-GB", "light"), (390, "zh-CN", "light"), (820, "en-GB", "dark")],
    ids=["wide", "phone", "dark"],
)
def test_pages_fit_and_are_accessible(
    site: Site, browser: Browser, pool: dict[str, Any], width: int, locale: str, scheme: Any
) -> None:
    pages = {
        "pool": "/my/collect",
        "assignment": "/my/collect/assignments/partial",
        "documents": "/my/collect/documents",
        "document": "/my/collect/documents/talks/2025/partial.md",
        "batches": "/my/collect/batches",
        "batch": f"/my/collect/batches/{pool['open']}",
        "applied": f"/my/collect/batches/{pool['applied']}",
        "permissions": "/my/collect/permissions",
    }
    size: Any = {"width": width, "height": 900}
    with site.visit(browser, viewport=size, locale=locale, color_scheme=scheme) as page:
        for name, path in pages.items():
            response = page.goto(f"{site.url}{path}")
            assert (name, response and response.status) == (name, 200)
            picture(page, f"collect-{name}-{width}")
            assert (name, serious(page)) == (name, [])
            assert (name, page.evaluate("document.documentElement.scrollWidth")) <= (name, width)


def test_assignment_is_added_and_its_permission_obtained(site: Site, browser: Browser) -> None:
    with site.visit(browser) as page:
        page.goto(f"{site.url}/my/collect")
        page.fill("#json", '{"id": "gdc", "type": "url", "url": "https://gdcvault.com/1", "target_file": "../gdc.md"}')
        page.get_by_role("button", name="Check and add").click()
        expect(page.locator('[role="alert"]')).to_contain_text("target_file")
        text = page.input_value("#json").replace("../", "")
        page.fill("#json", text)
        page.get_by_role("button", name="Check and add").click()
        page.get_by_role("link", name="gdc", exact=True).click()
        page.locator("summary", has_text="Needs a permission").click()
        page.get_by_label("Which permission is needed?").fill("an account")
        page.locator(".asks button").click()
        page.get_by_role("button", name="I have it").click()
        expect(page.locator("main")).to_contain_text("Added.")
    again = [row for row in site.ask("GET", "/assignments")["assignments"] if row["resumes"] == "gdc"]
    assert [row["target_file"] for row in again] == ["gdc.md"]
